package dev.heldcall.gateway.json;

/** The bounds of texts that clients send. */
public final class Text {

  /** Characters of an identifier. */
  public static final int MAX_ID = 256;

  /** Characters of a reason or a reference. */
  public static final int MAX_PROSE = 4096;

  private Text() {}

  /** Whether the text has a control character (Unicode category Cc). */
  public static boolean hasControl(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }

  /** Whether the text has a control character other than a tab or a line break. */
  static boolean hasForbiddenInProse(String text) {
    return text.chars()
        .anyMatch(c -> Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t');
  }
}
