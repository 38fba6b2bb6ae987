package dev.heldcall.gateway.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The page docs/crash-points.md: every point, and what came of a crash there on each database. */
final class CrashTable {

  private static final String HEAD = "| point | when | embedded | PostgreSQL |";
  private static final String NONE = "—";

  /**
   * A row.
   *
   * @param kind the kind's word
   * @param name the point, or a form of it
   * @param when the phase's words
   */
  private record Row(String kind, String name, String when) {}

  private final Map<Row, Map<String, String>> rows = new LinkedHashMap<>();

  /** The page as it is committed. */
  static CrashTable read(Path page) throws IOException {
    CrashTable table = new CrashTable();
    String kind = "";
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("## ")) {
        kind = line.substring(3).toLowerCase(java.util.Locale.ROOT);
      } else if (line.startsWith("| `")) {
        String[] cells = line.split("\\s*\\|\\s*", -1);
        Row row = new Row(kind, cells[1].replace("`", ""), cells[2]);
        if (cells.length > 4) {
          table.put(row, "H2", cells[3]);
          table.put(row, "POSTGRESQL", cells[4]);
        } else {
          table.rows.put(row, new TreeMap<>());
        }
      }
    }
    return table;
  }

  private void put(Row row, String engine, String words) {
    rows.computeIfAbsent(row, key -> new TreeMap<>()).put(engine, words);
  }

  /** Notes an outcome. */
  void note(String engine, Outcome outcome) {
    CrashCase what = outcome.what();
    Row row = new Row(what.kind().word(), what.name(), what.phase().words());
    put(row, engine, outcome.words());
  }

  /** Whether there is an outcome of such a crash, and a good one. */
  boolean knows(String engine, CrashCase what) {
    Row row = new Row(what.kind().word(), what.name(), what.phase().words());
    return rows.getOrDefault(row, Map.of()).getOrDefault(engine, NONE).contains(Outcome.LOST);
  }

  /** The points that have a row, without their forms. */
  Set<String> points() {
    Set<String> points = new TreeSet<>();
    rows.keySet().forEach(row -> points.add(pointOf(row.name())));
    return points;
  }

  private static String pointOf(String name) {
    return name.replaceAll("(\\[.*]| \\(later\\))", "");
  }

  /** The points of the scan, for those that never had an outcome a row that says so. */
  void complete(Scan scan) {
    Set<String> all = new TreeSet<>();
    for (Site site : scan.sites()) {
      all.addAll(site.points());
      if (!Unreachable.sites().containsKey(site.id())) {
        for (String point : site.points()) {
          if (!points().contains(point)) {
            rows.put(new Row(site.kind().word(), point, NONE), new TreeMap<>());
          }
        }
      }
    }
    rows.keySet().removeIf(row -> !all.contains(pointOf(row.name())));
    rows.keySet().removeIf(row -> row.when().equals(NONE) && hasAnother(row));
  }

  private boolean hasAnother(Row row) {
    return rows.keySet().stream()
        .anyMatch(each -> each.name().equals(row.name()) && !each.when().equals(NONE));
  }

  /** Writes the page. */
  void write(Path page, Scan scan) throws IOException {
    complete(scan);
    List<String> lines = new ArrayList<>(List.of(INTRODUCTION.split("\n")));
    for (Kind kind : Kind.values()) {
      lines.addAll(List.of("", "## " + capital(kind.word()), "", kind.sentence(), ""));
      lines.addAll(List.of(HEAD, "| --- | --- | --- | --- |"));
      rows.entrySet().stream()
          .filter(each -> each.getKey().kind().equals(kind.word()))
          .map(each -> line(each.getKey(), each.getValue()))
          .sorted()
          .forEach(lines::add);
    }
    lines.addAll(List.of("", "## Not reached by the story", ""));
    lines.add("The test fails when one of these is reached after all.");
    lines.add("");
    Unreachable.sites().forEach((site, why) -> lines.add("- " + site + ": " + why + "."));
    lines.addAll(List.of("", "Reached by some stories only:", ""));
    Unreachable.byChance().forEach((site, why) -> lines.add("- " + site + ": " + why + "."));
    Files.writeString(page, String.join("\n", lines) + "\n");
  }

  private static String line(Row row, Map<String, String> outcomes) {
    return "| `%s` | %s | %s | %s |"
        .formatted(
            row.name(),
            row.when(),
            outcomes.getOrDefault("H2", NONE),
            outcomes.getOrDefault("POSTGRESQL", NONE));
  }

  private static String capital(String word) {
    return Character.toUpperCase(word.charAt(0)) + word.substring(1);
  }

  private static final String INTRODUCTION =
      """
      # Crash points

      Every place where a node may die and it could matter, and what came of it when it did. The page is generated: `./heldcall bench
      crash` halts a real process at every point on both databases and writes it anew; `./heldcall bench crash --table` only brings its
      rows in line with the code. `CrashPointsTest` holds it against the code: a persist, a dispatch, an answer or a child without a row
      fails the build, and so does a point that the story does not reach.

      The product has no failpoints. The test finds the calls that matter in the compiled classes and makes a copy of the product
      with a point before and after each. A story of calls is told to the copy over HTTP: allowed, held, by two witnesses, edited,
      cancelled, denied, expired, read back, dispatched again with the same key, resolved by an operator, run by a client, dependent,
      nested, quarantined, with a fallback, a revocation, and a change of policy. The process is halted at the point, started again, and
      the clients say everything once more with the same ids until the story is at its end. Then what was acknowledged must be there,
      no generation may have had more than one effect (but at a tool that honours its key), every effect must come after a lease and the
      lease after its evidence, no delivery may have changed, and no call may be left with anything to do.

      **Point**: class, method and call; `:before` and `:after` a call, `:durable` when a persist is known to be written and `:done` when
      all that follows from it was done, `:entered` and `:left` a method, `:applying` and `:applied` an event. In brackets what was
      about to be written or started; *later* is a third into the story. **When**: told the story, at the second crash (the process
      comes back from a first one), at the first start on an empty database, or at its end by SIGTERM.
      **Outcome**: how many requests the crash left without an answer, of all that the story made; then the calls whose effect was in
      doubt after it, and what closed the doubt: the tool's late *answer* to a second dispatch with the same key or under a second
      lease, a *read-back*, an operator's *resolution*, or a proof that there was none (*without effect*). A dash: no crash was made
      there on that database yet (`./heldcall bench crash --missing` makes those), or the point is not reached on it.
      """;
}
