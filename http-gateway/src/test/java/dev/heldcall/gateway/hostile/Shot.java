package dev.heldcall.gateway.hostile;

/**
 * One thing to send.
 *
 * @param kind in a word
 * @param bytes what is sent
 * @param answerDue whether it is a whole request, to which an answer is due
 * @param odd whether its method or its version may be one that nobody has, which is answered 501
 *     and 505
 * @param abandon whether the connection is dropped without a look at what comes
 */
@SuppressWarnings("ArrayRecordComponent") // sent once, never compared
record Shot(String kind, byte[] bytes, boolean answerDue, boolean odd, boolean abandon) {

  static Shot request(String kind, byte[] bytes) {
    return new Shot(kind, bytes, true, false, false);
  }

  static Shot noise(String kind, byte[] bytes) {
    return new Shot(kind, bytes, false, true, false);
  }

  static Shot dropped(String kind, byte[] bytes) {
    return new Shot(kind, bytes, false, true, true);
  }
}
