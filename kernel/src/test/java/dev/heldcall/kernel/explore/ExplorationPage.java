package dev.heldcall.kernel.explore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** {@code docs/exploration.md}: its numbers and its list of bugs are those of the test. */
final class ExplorationPage {

  private static final Path PAGE = Path.of("..", "docs", "exploration.md");

  private ExplorationPage() {}

  /** What stands between the marks of the name. */
  static String section(String name) throws IOException {
    String page = Files.readString(PAGE);
    return page.substring(begin(page, name), page.indexOf(end(name)));
  }

  /** Writes a section anew, if {@code -Dheldcall.explore.write=true} asks for it. */
  static void offer(String name, String text) throws IOException {
    if (Boolean.getBoolean("heldcall.explore.write")) {
      synchronized (PAGE) {
        String page = Files.readString(PAGE);
        Files.writeString(
            PAGE,
            page.substring(0, begin(page, name)) + text + page.substring(page.indexOf(end(name))));
      }
    }
  }

  private static int begin(String page, String name) {
    String mark = "<!-- " + name + ": written by the test -->\n";
    int at = page.indexOf(mark);
    if (at < 0) {
      throw new IllegalStateException("docs/exploration.md has no section '" + name + "'");
    }
    return at + mark.length();
  }

  private static String end(String name) {
    return "<!-- end of " + name + " -->";
  }

  /** The planted bugs as a table. */
  static String bugs(List<Mutation> mutations) {
    StringBuilder text = new StringBuilder("| guard | bug | planted in | found in | as |\n");
    text.append("| --- | --- | --- | --- | --- |\n");
    for (Mutation each : mutations) {
      text.append(
          "| %s | %s | `%s` | %s | %s |\n"
              .formatted(
                  each.guard(),
                  each.what(),
                  each.where(),
                  each.scenario().replace("|", "\\|"),
                  each.found().replace("|", "\\|")));
    }
    return text.toString();
  }
}
