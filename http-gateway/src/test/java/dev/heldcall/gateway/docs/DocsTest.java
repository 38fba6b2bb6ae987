package dev.heldcall.gateway.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages' links and the file names in them lead somewhere. */
class DocsTest {

  private static final Path ROOT = root();
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+)$");
  private static final Pattern FENCE = Pattern.compile("(?ms)^```.*?^```");

  /** A path in the sources, as the walkthrough writes it. */
  private static final Pattern SOURCE_PATH = Pattern.compile("`([a-z-]+/src/[A-Za-z0-9_./-]+?)/?`");

  /** A file named by its class alone, in a paragraph that has named its folder. */
  private static final Pattern SOURCE_FILE = Pattern.compile("`([A-Z][A-Za-z0-9]+\\.java)`");

  /** A test named by its class. */
  private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z0-9]+Test)`");

  @Test
  void everyRelativeLinkResolves() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      Matcher links = LINK.matcher(prose(page));
      while (links.find()) {
        String target = links.group(1);
        if (!target.contains("://") && !target.startsWith("mailto:") && !resolves(page, target)) {
          broken.add(ROOT.relativize(page) + " → " + target);
        }
      }
    }
    assertThat(broken).as("links that lead nowhere").isEmpty();
  }

  @Test
  void everyPathInTheWalkthroughExists() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/walkthrough.md"));
    List<String> paths = all(SOURCE_PATH, text);
    assertThat(paths).isNotEmpty();
    assertThat(paths).allSatisfy(path -> assertThat(ROOT.resolve(path)).exists());
  }

  @Test
  void everyFileInTheWalkthroughExists() throws IOException {
    List<String> named = all(SOURCE_FILE, Files.readString(ROOT.resolve("docs/walkthrough.md")));
    assertThat(named).isNotEmpty();
    assertThat(sourceNames()).containsAll(named);
  }

  @Test
  void everyTestThatConfirmsADecisionExists() throws IOException {
    Set<String> sources = sourceNames();
    for (Path page : pages()) {
      if (page.startsWith(ROOT.resolve("docs/decisions"))) {
        assertThat(sources)
            .as(page.toString())
            .containsAll(
                all(TEST, Files.readString(page)).stream().map(name -> name + ".java").toList());
      }
    }
  }

  @Test
  void everyDecisionIsListed() throws IOException {
    String index = Files.readString(ROOT.resolve("docs/decisions/README.md"));
    try (Stream<Path> files = Files.list(ROOT.resolve("docs/decisions"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> !name.equals("README.md"))
          .allSatisfy(name -> assertThat(index).contains("(" + name + ")"));
    }
  }

  private static Set<String> sourceNames() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".java"))
          .collect(Collectors.toSet());
    }
  }

  private static boolean resolves(Path page, String target) throws IOException {
    String[] parts = target.split("#", 2);
    Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    if (!file.startsWith(ROOT) || !Files.exists(file)) {
      return false;
    }
    return parts.length == 1 || anchors(file).contains(parts[1]);
  }

  /** The anchors that a renderer gives to a page's headings. */
  private static List<String> anchors(Path page) throws IOException {
    return all(HEADING, prose(page)).stream()
        .map(
            heading ->
                heading
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'))
        .toList();
  }

  private static String prose(Path page) throws IOException {
    return FENCE.matcher(Files.readString(page)).replaceAll("");
  }

  private static List<String> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(1)).distinct().toList();
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String name : List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md")) {
      pages.add(ROOT.resolve(name));
    }
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
    }
    return pages;
  }

  private static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.exists(folder.resolve("LICENSE"))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new AssertionError("no folder above has the LICENSE");
    }
    return folder;
  }
}
