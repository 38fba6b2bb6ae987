package dev.heldcall.witness.evidence;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.WitnessRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call's arguments as one witness may see them. A field that is left out is never mistaken for
 * one that is not there: what stands in its place (nothing, or a word such as "redacted") is not
 * looked at.
 */
public final class DisclosedArgs {

  private final @Nullable JsonNode args;
  private final List<String> leftOut;

  private DisclosedArgs(@Nullable JsonNode args, List<String> leftOut) {
    this.args = args;
    this.leftOut = leftOut;
  }

  /** Those of a request. */
  public static DisclosedArgs of(WitnessRequest request) {
    return new DisclosedArgs(request.args(), request.leftOut());
  }

  /**
   * The value at a pointer, whole.
   *
   * @throws Undecidable if any part of it is not disclosed, or it is not there
   */
  public JsonNode at(JsonPointer pointer) throws Undecidable {
    JsonNode all = args;
    if (all == null || isLeftOut(pointer.toString())) {
      throw new Undecidable("the arguments are not disclosed to it: " + name(pointer));
    }
    JsonNode value = all.at(pointer);
    if (value.isMissingNode()) {
      throw new Undecidable("the arguments have nothing at " + name(pointer));
    }
    return value;
  }

  /**
   * The text at a pointer.
   *
   * @throws Undecidable if it is not disclosed, not there, not text, or too long
   */
  public String text(JsonPointer pointer, int maxLength) throws Undecidable {
    JsonNode value = at(pointer);
    if (!value.isTextual()) {
      throw new Undecidable("the argument " + name(pointer) + " is not text");
    }
    if (value.textValue().length() > maxLength) {
      throw new Undecidable(
          "the argument " + name(pointer) + " is longer than " + maxLength + " characters");
    }
    return value.textValue();
  }

  private boolean isLeftOut(String pointer) {
    for (String hidden : leftOut) {
      if (hidden.equals(pointer)
          || pointer.startsWith(hidden + "/")
          || hidden.startsWith(pointer + "/")) {
        return true;
      }
    }
    return false;
  }

  private static String name(JsonPointer pointer) {
    String text = pointer.toString();
    return text.isEmpty() ? "all of them" : text;
  }
}
