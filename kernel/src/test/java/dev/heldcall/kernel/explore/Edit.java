package dev.heldcall.kernel.explore;

import org.jspecify.annotations.Nullable;

/** How the byte code of a method is changed. */
sealed interface Edit {

  /** Nothing but a constant is answered: a boolean, or null. */
  record Answers(@Nullable Object value) implements Edit {}

  /** The {@code nth} call of a method, or every one for 0, or a field, is taken for a constant. */
  record Believes(String callee, int nth, @Nullable Object value) implements Edit {}

  /** The calls of a method are left out. */
  record Omits(String callee) implements Edit {}

  /** The test that follows the {@code nth} call of a method always jumps, or never. */
  record Tests(String callee, int nth, boolean jumps) implements Edit {}

  /** An empty list as a constant. */
  Object EMPTY = new Object();

  /**
   * Reads an edit as {@code mutations.txt} spells it.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Edit parse(String text) {
    String[] words = text.split(" +", -1);
    String target = words.length > 2 && words[1].equals("after") ? words[2] : words[1];
    int hash = target.indexOf('#');
    String name = hash < 0 ? target : target.substring(0, hash);
    int nth = hash < 0 ? 0 : Integer.parseInt(target.substring(hash + 1));
    return switch (words[0]) {
      case "answers" -> new Answers(value(words[1]));
      case "omits" -> new Omits(name);
      case "jumps" -> new Tests(name, nth, true);
      case "passes" -> new Tests(name, nth, false);
      case "believes" -> new Believes(name, nth, value(words[3]));
      default -> throw new IllegalArgumentException("no such edit: " + text);
    };
  }

  private static @Nullable Object value(String word) {
    return switch (word) {
      case "null" -> null;
      case "true" -> true;
      case "false" -> false;
      case "empty" -> EMPTY;
      default -> Integer.valueOf(word);
    };
  }
}
