package dev.heldcall.kernel.policy;

/**
 * Which tools a rule is about: a name, {@code *} for all, or a prefix as in {@code git.*} and
 * {@code file_*}. An asterisk stands at the end only.
 *
 * @param text as written
 */
record ToolPattern(String text) {

  ToolPattern {
    if (text.isEmpty()) {
      throw new IllegalArgumentException("expected a tool name, a prefix such as git.*, or *");
    }
    int star = text.indexOf('*');
    if (star >= 0 && star != text.length() - 1) {
      throw new IllegalArgumentException(
          "expected * at the end only, as in git.* or file_*, found '" + text + "'");
    }
  }

  boolean matches(String tool) {
    return text.endsWith("*")
        ? tool.startsWith(text.substring(0, text.length() - 1))
        : tool.equals(text);
  }
}
