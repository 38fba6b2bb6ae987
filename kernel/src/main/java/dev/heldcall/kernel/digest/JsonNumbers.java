package dev.heldcall.kernel.digest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.erdtman.jcs.NumberToJSON;
import org.jspecify.annotations.Nullable;

/**
 * What I-JSON (RFC 7493, section 2.2) and ECMAScript (RFC 8785, section 3.2.2.3) say of numbers.
 */
final class JsonNumbers {

  /** 2^53 − 1: the largest integer of which every smaller one is exact in a double. */
  static final long MAX_SAFE = 9_007_199_254_740_991L;

  private static final BigInteger MAX_SAFE_BIG = BigInteger.valueOf(MAX_SAFE);

  /** Longer literals are not looked at: no double needs as many digits. */
  private static final int MAX_DIGITS = 1_100;

  private JsonNumbers() {}

  /** Whether an integral value lies within ±(2^53 − 1). */
  static boolean isSafe(BigInteger value) {
    return value.abs().compareTo(MAX_SAFE_BIG) <= 0;
  }

  /** Why the number does not survive the trip through a double and back, or null if it does. */
  static @Nullable String loss(JsonNode number) {
    if (number.isDouble() || number.isFloat()) {
      return Double.isFinite(number.doubleValue()) ? null : "is not a finite number";
    }
    if (number.isInt() || number.isShort()) {
      return null;
    }
    if (number.isLong()) {
      return lossOf(number.decimalValue());
    }
    if (number.isBigInteger() && number.bigIntegerValue().bitLength() > 1_024) {
      return "is too large for a double";
    }
    return lossOf(number.decimalValue());
  }

  private static @Nullable String lossOf(BigDecimal exact) {
    if (exact.signum() == 0) {
      return null;
    }
    if (exact.precision() > MAX_DIGITS) {
      return "has more digits than a double keeps";
    }
    double value = exact.doubleValue();
    if (Double.isInfinite(value)) {
      return "is too large for a double";
    }
    if (value == 0) {
      return "is too small for a double";
    }
    // Both spellings are shortest in their own sense; they differ for a few subnormal numbers.
    boolean kept =
        exact.compareTo(new BigDecimal(shortest(value))) == 0
            || exact.compareTo(new BigDecimal(Double.toString(value))) == 0;
    return kept ? null : "becomes " + shortest(value) + " as a double";
  }

  /** The one node that stands for the number's value: see {@link CanonicalJson#canonical}. */
  static JsonNode normal(JsonNode number) {
    String loss = loss(number);
    if (loss != null) {
      throw new IllegalArgumentException("the number " + brief(number) + " " + loss);
    }
    double value = number.doubleValue();
    if (Math.abs(value) <= MAX_SAFE && value == Math.rint(value)) {
      return LongNode.valueOf((long) value);
    }
    return DoubleNode.valueOf(value);
  }

  /** The ECMAScript spelling of a finite double. */
  static String shortest(double value) {
    try {
      return NumberToJSON.serializeNumber(value);
    } catch (IOException notFinite) {
      throw new IllegalArgumentException("not a finite number: " + value, notFinite);
    }
  }

  /** The number as it stood, cut to what a message can bear. */
  static String brief(JsonNode number) {
    if (number.isBigInteger() && number.bigIntegerValue().bitLength() > 256) {
      return "of " + number.bigIntegerValue().bitLength() + " bits";
    }
    String text = number.asText();
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
