package dev.heldcall.witness.database;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A query as far as its words tell, with strings, quoted names and comments left out. It keeps
 * mistakes from starting; what keeps a database from being written is that its transaction is
 * read-only and rolled back.
 *
 * @param words the words outside of quotes, in lower case
 * @param parameters how many {@code ?} there are
 * @param statements how many statements there are
 */
record SqlText(List<String> words, int parameters, int statements) {

  private static final Set<String> FIRST = Set.of("select", "with", "values");

  /** Words that a query which only reads has no use for; as a name, each can be quoted. */
  private static final Set<String> WRITING =
      Set.of(
          "insert",
          "update",
          "delete",
          "merge",
          "into",
          "truncate",
          "drop",
          "alter",
          "create",
          "grant",
          "revoke",
          "call",
          "execute",
          "copy",
          "lock",
          "commit",
          "rollback");

  SqlText {
    words = List.copyOf(words);
  }

  /** Reads a query's words. */
  static SqlText of(String sql) {
    return new Scanner(sql).scan();
  }

  /** Why it is not taken, as what was expected; null if it is. */
  @Nullable String fault() {
    if (statements != 1) {
      return "exactly one statement";
    }
    if (words.isEmpty() || !FIRST.contains(words.getFirst())) {
      return "a query that begins with SELECT, WITH or VALUES";
    }
    for (String word : words) {
      if (WRITING.contains(word)) {
        return "a query that only reads, without the word "
            + word.toUpperCase(Locale.ROOT)
            + " (a column of that name can be quoted)";
      }
    }
    return null;
  }

  /** Goes through the text once. An unclosed quote or comment takes the rest. */
  private static final class Scanner {

    private final String sql;
    private final List<String> words = new ArrayList<>();
    private int at;
    private int parameters;
    private int statements;
    private boolean inStatement;

    Scanner(String sql) {
      this.sql = sql;
    }

    SqlText scan() {
      while (at < sql.length()) {
        step(sql.charAt(at));
      }
      return new SqlText(words, parameters, statements);
    }

    private void step(char c) {
      if (sql.startsWith("--", at)) {
        skipTo("\n", 2);
      } else if (sql.startsWith("/*", at)) {
        skipComment();
      } else if (c == ';') {
        inStatement = false;
        at++;
      } else if (Character.isWhitespace(c)) {
        at++;
      } else {
        begin();
        part(c);
      }
    }

    private void begin() {
      if (!inStatement) {
        inStatement = true;
        statements++;
      }
    }

    private void part(char c) {
      if (c == '\'') {
        skipString();
      } else if (c == '"' || c == '`') {
        skipTo(String.valueOf(c), 1);
      } else if (c == '$' && dollarTag() != null) {
        String tag = dollarTag();
        skipTo(tag == null ? "$" : tag, tag == null ? 1 : tag.length());
      } else if (Character.isJavaIdentifierStart(c) && c != '$') {
        word();
      } else if (sql.startsWith("??", at)) {
        at += 2; // PostgreSQL's driver reads an operator's question mark so
      } else {
        if (c == '?') {
          parameters++;
        }
        at++;
      }
    }

    private void word() {
      int start = at;
      while (at < sql.length() && Character.isJavaIdentifierPart(sql.charAt(at))) {
        at++;
      }
      words.add(sql.substring(start, at).toLowerCase(Locale.ROOT));
    }

    /** A doubled quote reads as two strings; a backslash escapes only after E, where it must. */
    private void skipString() {
      boolean escapes =
          !words.isEmpty()
              && words.getLast().equals("e")
              && at > 0
              && Character.toLowerCase(sql.charAt(at - 1)) == 'e';
      at++;
      while (at < sql.length() && sql.charAt(at) != '\'') {
        at += escapes && sql.charAt(at) == '\\' ? 2 : 1;
      }
      at++;
    }

    private void skipComment() {
      int depth = 0;
      do {
        if (sql.startsWith("/*", at)) {
          depth++;
          at += 2;
        } else if (sql.startsWith("*/", at)) {
          depth--;
          at += 2;
        } else {
          at++;
        }
      } while (depth > 0 && at < sql.length());
    }

    private @Nullable String dollarTag() {
      int end = at + 1;
      while (end < sql.length()
          && (Character.isLetterOrDigit(sql.charAt(end)) || sql.charAt(end) == '_')) {
        end++;
      }
      boolean isTag =
          end < sql.length()
              && sql.charAt(end) == '$'
              && (end == at + 1 || !Character.isDigit(sql.charAt(at + 1)));
      return isTag ? sql.substring(at, end + 1) : null;
    }

    private void skipTo(String end, int from) {
      int found = sql.indexOf(end, at + from);
      at = found < 0 ? sql.length() : found + end.length();
    }
  }
}
