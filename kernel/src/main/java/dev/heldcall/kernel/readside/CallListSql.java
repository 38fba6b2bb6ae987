package dev.heldcall.kernel.readside;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The statement for a list of calls. The conditions are fixed text and every value is an argument.
 *
 * @param text the SQL
 * @param arguments its arguments in order
 */
record CallListSql(String text, List<Object> arguments) {

  /** Asks for one row more than the page, to know whether there is another page. */
  static CallListSql of(CallQuery query) {
    StringBuilder sql = new StringBuilder("SELECT * FROM call_index WHERE org = ?");
    List<Object> arguments = new ArrayList<>();
    arguments.add(query.audience().org());
    and(sql, arguments, "state", query.state() == null ? null : query.state().wire());
    and(sql, arguments, "session_id", query.sessionId());
    and(sql, arguments, "tool", query.tool());
    and(sql, arguments, "principal", query.principal());
    if (!query.classes().isEmpty()) {
      sql.append(" AND (").append(waitsForOneOf(query.classes(), arguments)).append(')');
    }
    audience(sql, arguments, query.audience());
    if (query.cursor() != null) {
      PageCursor cursor = PageCursor.parse(query.cursor());
      sql.append(" AND deadline >= ? AND (deadline > ? OR held_id > ?)");
      arguments.add(cursor.deadline());
      arguments.add(cursor.deadline());
      arguments.add(cursor.heldId());
    }
    sql.append(" ORDER BY deadline, held_id LIMIT ?");
    arguments.add(query.limit() + 1L);
    return new CallListSql(sql.toString(), arguments);
  }

  private static void and(
      StringBuilder sql, List<Object> arguments, String column, @Nullable String value) {
    if (value != null) {
      sql.append(" AND ").append(column).append(" = ?");
      arguments.add(value);
    }
  }

  private static void audience(StringBuilder sql, List<Object> arguments, Audience audience) {
    switch (audience) {
      case Audience.Operator _ -> {}
      case Audience.Member member -> {
        sql.append(" AND ((project = ? AND principal = ?)");
        arguments.add(member.self().project());
        arguments.add(member.self().id());
        if (!member.witnessClasses().isEmpty()) {
          sql.append(" OR ").append(waitsForOneOf(member.witnessClasses(), arguments));
        }
        sql.append(')');
      }
    }
  }

  private static String waitsForOneOf(Iterable<String> classes, List<Object> arguments) {
    List<String> conditions = new ArrayList<>();
    TreeSet<String> inOrder = new TreeSet<>();
    classes.forEach(inOrder::add);
    for (String name : inOrder) {
      conditions.add("waiting_classes LIKE ? ESCAPE '!'");
      arguments.add("% " + name.replaceAll("[!%_]", "!$0") + " %");
    }
    return String.join(" OR ", conditions);
  }
}
