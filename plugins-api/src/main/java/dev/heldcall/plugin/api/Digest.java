package dev.heldcall.plugin.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * A SHA-256 digest as it is written everywhere: {@code sha256:} and 64 lower-case hexadecimal
 * digits (API.md, digests).
 *
 * @param value the whole spelling
 */
public record Digest(@JsonValue String value) {

  private static final Pattern FORM = Pattern.compile("sha256:[0-9a-f]{64}");

  /**
   * @throws IllegalArgumentException if the spelling is not the one above
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public Digest {
    if (!isWellFormed(value)) {
      throw new IllegalArgumentException(
          "expected 'sha256:' and 64 lower-case hexadecimal digits, found '" + value + "'");
    }
  }

  /** Whether {@code value} is spelt as a digest. */
  public static boolean isWellFormed(String value) {
    return FORM.matcher(value).matches();
  }

  @Override
  public String toString() {
    return value;
  }
}
