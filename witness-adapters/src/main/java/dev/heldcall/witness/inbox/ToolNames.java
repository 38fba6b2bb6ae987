package dev.heldcall.witness.inbox;

import java.util.List;

/**
 * Which tools a line of the settings is for, spelt as in policies: a name, a prefix and {@code *},
 * or {@code *}.
 *
 * @param patterns the spellings; none stands for all tools
 */
record ToolNames(List<String> patterns) {

  ToolNames {
    patterns = List.copyOf(patterns);
  }

  /** Whether a text is such a spelling: nothing after a {@code *}. */
  static boolean isPattern(String text) {
    int star = text.indexOf('*');
    return !text.isEmpty() && (star < 0 || star == text.length() - 1);
  }

  boolean has(String tool) {
    return patterns.isEmpty()
        || patterns.stream()
            .anyMatch(
                each ->
                    each.endsWith("*")
                        ? tool.startsWith(each.substring(0, each.length() - 1))
                        : tool.equals(each));
  }
}
