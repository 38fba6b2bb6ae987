package dev.heldcall.witness.database;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.witness.evidence.DisclosedArgs;
import dev.heldcall.witness.evidence.Undecidable;

/**
 * A parameter of the query: a place in the call's arguments, and what must be there. It is bound,
 * never written into the query's text.
 */
record QueryParameter(JsonPointer pointer, Kind kind) {

  /** The most characters of a text. */
  static final int MAX_TEXT = 8192;

  /** What an argument must be. */
  enum Kind {
    /** Text, as it is. */
    TEXT,
    /** A number without a fraction, of 64 bits. */
    INTEGER,
    /** Any number. */
    DECIMAL,
    /** True or false. */
    BOOLEAN
  }

  /**
   * The value to bind: a String, Long, BigDecimal or Boolean.
   *
   * @throws Undecidable if it is not disclosed, not there, or of another kind
   */
  Object in(DisclosedArgs args) throws Undecidable {
    JsonNode value = args.at(pointer);
    return switch (kind) {
      case TEXT -> args.text(pointer, MAX_TEXT);
      case INTEGER -> {
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
          throw other("a whole number");
        }
        yield value.longValue();
      }
      case DECIMAL -> {
        if (!value.isNumber()) {
          throw other("a number");
        }
        yield value.decimalValue();
      }
      case BOOLEAN -> {
        if (!value.isBoolean()) {
          throw other("true or false");
        }
        yield value.booleanValue();
      }
    };
  }

  private Undecidable other(String expected) {
    return new Undecidable("the argument " + pointer + " is not " + expected);
  }
}
