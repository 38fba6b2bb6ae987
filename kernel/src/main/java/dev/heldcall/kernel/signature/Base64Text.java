package dev.heldcall.kernel.signature;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Base64;

/** Base64 that has exactly one spelling for the bytes it stands for (RFC 4648). */
final class Base64Text {

  private Base64Text() {}

  /** Base64url without padding, as in a JWS (RFC 7515, section 2). */
  static byte[] url(String text, String what) throws SignatureProblem {
    return decoded(text, Base64.getUrlDecoder(), Base64.getUrlEncoder().withoutPadding(), what);
  }

  /** Either alphabet with padding, as in a DSSE envelope. */
  static byte[] either(String text, String what) throws SignatureProblem {
    boolean url = text.indexOf('-') >= 0 || text.indexOf('_') >= 0;
    return url
        ? decoded(text, Base64.getUrlDecoder(), Base64.getUrlEncoder(), what)
        : decoded(text, Base64.getDecoder(), Base64.getEncoder(), what);
  }

  private static byte[] decoded(
      String text, Base64.Decoder decoder, Base64.Encoder encoder, String what)
      throws SignatureProblem {
    try {
      byte[] bytes = decoder.decode(text.getBytes(ISO_8859_1));
      if (encoder.encodeToString(bytes).equals(text)) {
        return bytes;
      }
    } catch (IllegalArgumentException e) {
      // told below
    }
    throw new SignatureProblem(what + " is not base64");
  }
}
