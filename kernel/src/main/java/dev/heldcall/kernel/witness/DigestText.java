package dev.heldcall.kernel.witness;

import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** SHA-256 digests as people and tools spell them, brought to one spelling. */
final class DigestText {

  private static final int MAX_LENGTH = 80;
  private static final Pattern SPELLING =
      Pattern.compile(
          "(?i:sha-?256[:=-])?:?(?:(?<hex>[0-9a-fA-F]{64})|(?<base64>[A-Za-z0-9+/_-]{43}=?)):?");

  private DigestText() {}

  /**
   * The digest in 64 lower-case hexadecimal digits, if the text is one: bare or after {@code
   * sha256:}, {@code sha-256=} or {@code sha256-}, in hexadecimal of any case or in Base64, between
   * colons or not, white space around it left aside.
   */
  static Optional<String> hex(String text) {
    String stripped = text.strip();
    if (stripped.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    Matcher spelling = SPELLING.matcher(stripped);
    if (!spelling.matches()) {
      return Optional.empty();
    }
    String hex = spelling.group("hex");
    if (hex != null) {
      return Optional.of(hex.toLowerCase(Locale.ROOT));
    }
    String base64 = spelling.group("base64").replace('+', '-').replace('/', '_').replace("=", "");
    try {
      return Optional.of(HexFormat.of().formatHex(Base64.getUrlDecoder().decode(base64)));
    } catch (IllegalArgumentException noBase64) {
      return Optional.empty();
    }
  }
}
