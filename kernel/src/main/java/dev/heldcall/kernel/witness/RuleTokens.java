package dev.heldcall.kernel.witness;

/**
 * Cuts a rule's text into tokens, one ahead of the parser. White space separates and means nothing
 * else.
 */
final class RuleTokens {

  /** What a token is. */
  enum Kind {
    /** {@code [a-z][a-z0-9-]*}. */
    NAME,
    /** Digits, then any letters: a count or a duration. */
    NUMBER,
    /** One of {@code ( ) , & |}. */
    SIGN,
    /** Nothing that a rule is made of. */
    STRAY,
    /** The end of the text. */
    END
  }

  private static final int MAX_SHOWN = 40;

  private final String text;
  private Kind kind = Kind.END;
  private int start;
  private int end;

  RuleTokens(String text) {
    this.text = text;
    advance();
  }

  Kind kind() {
    return kind;
  }

  String token() {
    return text.substring(start, end);
  }

  int position() {
    return start;
  }

  boolean is(char sign) {
    return kind == Kind.SIGN && text.charAt(start) == sign;
  }

  /** Whether the token is this word with an opening parenthesis behind it. */
  boolean opens(String word) {
    return kind == Kind.NAME && token().equals(word) && opensParenthesis();
  }

  /** Whether an opening parenthesis is behind the token. */
  boolean opensParenthesis() {
    int next = skipSpace(end);
    return next < text.length() && text.charAt(next) == '(';
  }

  /** Takes the sign if it is there. */
  boolean take(char sign) {
    boolean there = is(sign);
    if (there) {
      advance();
    }
    return there;
  }

  void require(char sign, String expected) {
    if (!take(sign)) {
      throw unexpected(expected);
    }
  }

  RuleSyntaxException unexpected(String expected) {
    return new RuleSyntaxException(start, expected, shown());
  }

  private String shown() {
    if (kind == Kind.END) {
      return "the end of the rule";
    }
    String token = token();
    return "'" + (token.length() <= MAX_SHOWN ? token : token.substring(0, MAX_SHOWN) + "…") + "'";
  }

  void advance() {
    start = skipSpace(end);
    if (start >= text.length()) {
      kind = Kind.END;
      end = start;
      return;
    }
    char first = text.charAt(start);
    if (isLetter(first)) {
      kind = Kind.NAME;
      end = runOfWord(start);
    } else if (isDigit(first)) {
      kind = Kind.NUMBER;
      end = runOfWord(start);
    } else if ("(),&|".indexOf(first) >= 0) {
      kind = Kind.SIGN;
      end = start + 1;
    } else {
      kind = Kind.STRAY;
      end = text.offsetByCodePoints(start, 1);
    }
  }

  private int runOfWord(int from) {
    int at = from;
    while (at < text.length() && isWord(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private int skipSpace(int from) {
    int at = from;
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return at;
  }

  private static boolean isWord(char c) {
    return isLetter(c) || isDigit(c) || c == '-';
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
