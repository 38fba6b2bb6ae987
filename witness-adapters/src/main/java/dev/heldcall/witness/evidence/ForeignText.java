package dev.heldcall.witness.evidence;

/** Words from outside, made fit to be shown on a line of ours. */
public final class ForeignText {

  /** The most characters that are kept. */
  public static final int MAX_LENGTH = 500;

  private ForeignText() {}

  /**
   * The words on one line, without characters that are not seen or that turn the writing's
   * direction, and cut after {@value #MAX_LENGTH} characters.
   */
  public static String line(String text) {
    StringBuilder line = new StringBuilder();
    int kept = 0;
    for (int point : text.strip().codePoints().toArray()) {
      if (kept == MAX_LENGTH) {
        return line.append('…').toString();
      }
      line.appendCodePoint(isShown(point) ? point : ' ');
      kept++;
    }
    return line.toString();
  }

  private static boolean isShown(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
