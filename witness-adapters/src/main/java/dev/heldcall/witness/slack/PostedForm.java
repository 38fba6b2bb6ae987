package dev.heldcall.witness.slack;

import dev.heldcall.witness.evidence.MalformedJson;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The body of an HTML form, as Slack posts clicks: bytes that say one thing, or nothing. */
final class PostedForm {

  private PostedForm() {}

  /**
   * The bytes of the field {@code payload}.
   *
   * @throws MalformedJson if it is not there once, or not percent-encoded as it should be
   */
  static byte[] payload(byte[] body) throws MalformedJson {
    List<byte[]> payloads = new ArrayList<>();
    for (String field : new String(body, StandardCharsets.ISO_8859_1).split("&", -1)) {
      if (field.startsWith("payload=")) {
        payloads.add(decoded(field.substring("payload=".length())));
      }
    }
    if (payloads.size() != 1) {
      throw new MalformedJson("", "a form with one field payload");
    }
    return payloads.getFirst();
  }

  private static byte[] decoded(String text) throws MalformedJson {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each != '%') {
        bytes.write(each == '+' ? ' ' : each);
        continue;
      }
      if (i + 2 >= text.length()
          || !HexFormat.isHexDigit(text.charAt(i + 1))
          || !HexFormat.isHexDigit(text.charAt(i + 2))) {
        throw new MalformedJson("payload", "two hexadecimal digits after each %");
      }
      bytes.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
      i += 2;
    }
    return bytes.toByteArray();
  }
}
