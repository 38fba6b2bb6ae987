package dev.heldcall.kernel.readside;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where a page of the call list ended: the last row's place in the order.
 *
 * @param deadline its deadline in milliseconds
 * @param heldId its id
 */
record PageCursor(long deadline, String heldId) {

  /** The spelling that clients hand back. */
  String text() {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString((deadline + ":" + heldId).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * @throws IllegalArgumentException if no page ever ended with this cursor
   */
  static PageCursor parse(String text) {
    String plain;
    try {
      plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("not a cursor: " + text, e);
    }
    int colon = plain.indexOf(':');
    try {
      if (colon > 0 && colon < plain.length() - 1) {
        return new PageCursor(Long.parseLong(plain, 0, colon, 10), plain.substring(colon + 1));
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a cursor: " + text, e);
    }
    throw new IllegalArgumentException("not a cursor: " + text);
  }
}
