package dev.heldcall.gateway.crash;

import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * {@code ./heldcall bench crash}: every crash on both databases, and the page of them. Options:
 * {@code --table} only brings the page's rows in line with the code; {@code --missing} leaves out
 * what the page has an outcome of; {@code --engine H2} or {@code POSTGRESQL}; {@code --only TEXT},
 * the points that contain it.
 */
public final class CrashBench {

  private static final List<Phase> PHASES =
      List.of(Phase.STORY, Phase.RESTART, Phase.STOP, Phase.FIRST_START);

  /** What matters most comes first. */
  private static final Comparator<CrashCase> ORDER =
      Comparator.<CrashCase>comparingInt(each -> PHASES.indexOf(each.phase()))
          .thenComparing(CrashCase::kind);

  private final Path page;
  private final WovenProduct product;
  private final CrashTable table;
  private final String only;
  private final boolean missing;
  private final Map<Engine, CrashRun> runs = new EnumMap<>(Engine.class);
  private final Map<Engine, Set<CrashCase>> done = new EnumMap<>(Engine.class);
  private int wrong;

  private CrashBench(
      Path page, WovenProduct product, CrashTable table, String only, boolean missing) {
    this.missing = missing;
    this.page = page;
    this.product = product;
    this.table = table;
    this.only = only;
  }

  /** Runs; exits with 1 if anything was wrong. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    List<String> options = List.of(arguments);
    Path page = page();
    Path folder = Files.createTempDirectory("heldcall-crash-");
    WovenProduct product = WovenProduct.in(folder);
    CrashTable table = Files.exists(page) ? CrashTable.read(page) : new CrashTable();
    CrashBench bench =
        new CrashBench(
            page,
            product,
            table,
            option(options, "--only").orElse(""),
            options.contains("--missing"));
    int exit = 0;
    if (!options.contains("--table")) {
      List<Engine> engines =
          option(options, "--engine")
              .map(Engine::valueOf)
              .map(List::of)
              .orElse(List.of(Engine.values()));
      exit = bench.run(engines) ? 0 : 1;
    }
    table.write(page, product.scan());
    System.out.println("written: " + page);
    delete(folder);
    System.exit(exit);
  }

  private static Optional<String> option(List<String> options, String name) {
    int at = options.indexOf(name);
    return at >= 0 && at + 1 < options.size() ? Optional.of(options.get(at + 1)) : Optional.empty();
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** The committed page, found from where this runs, or else from where its classes are. */
  static Path page() {
    Path classes =
        Path.of(CrashBench.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    for (Path from : List.of(Path.of("").toAbsolutePath(), classes)) {
      for (Path folder = from; folder != null; folder = folder.getParent()) {
        if (Files.exists(folder.resolve("LICENSE"))) {
          return folder.resolve("docs/crash-points.md");
        }
      }
    }
    throw new IllegalStateException("not in the source tree");
  }

  private boolean run(List<Engine> engines) throws IOException, InterruptedException {
    for (Engine engine : engines) {
      Path archive = product.folder().resolve(engine + ".aot");
      try (CrashRun first =
          new CrashRun(engine, product, List.of("-XX:AOTCacheOutput=" + archive))) {
        report(engine, "undisturbed", first.undisturbed(true));
        CrashRun run = new CrashRun(engine, product, List.of("-XX:AOTCache=" + archive));
        run.reached().add(first.reached());
        runs.put(engine, run);
        done.put(engine, new HashSet<>());
      }
    }
    for (int rank = 0; rank <= 2; rank++) {
      crashAll(engines, rank);
    }
    runs.values().forEach(CrashRun::close);
    return wrong == 0;
  }

  /** The databases take turns, so that neither is behind when this is stopped early. */
  private void crashAll(List<Engine> engines, int rank) throws IOException, InterruptedException {
    boolean more = true;
    while (more) {
      more = false;
      for (Engine engine : engines) {
        CrashRun run = runs.get(engine);
        Set<CrashCase> past = done.get(engine);
        if (run == null || past == null) {
          throw new IllegalStateException(engine + " was not begun");
        }
        Optional<CrashCase> next = next(engine, run, past, rank);
        if (next.isPresent()) {
          past.add(next.get());
          crash(engine, run, next.get());
          table.write(page, product.scan());
          more = true;
        }
      }
    }
  }

  /** What is reached only after crashes is known only after some. */
  private Optional<CrashCase> next(Engine engine, CrashRun run, Set<CrashCase> past, int rank) {
    List<CrashCase> all = new ArrayList<>(CrashCase.all(product.scan(), run.reached()));
    all.removeIf(each -> each.rank() != rank || !each.form().contains(only));
    all.removeIf(each -> missing && table.knows(engine.name(), each));
    all.removeIf(each -> past.stream().anyMatch(each::isLike));
    return all.stream().min(ORDER);
  }

  private void crash(Engine engine, CrashRun run, CrashCase what)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    try {
      Outcome outcome = run.crash(what);
      if (!outcome.reached()) {
        outcome = run.crash(what);
      }
      table.note(engine.name(), outcome);
      long millis = (System.nanoTime() - begun) / 1_000_000;
      String name = what.phase().words() + " " + what.name();
      System.out.println(engine + " " + millis + " ms " + name + ": " + outcome.words());
      report(engine, name, outcome.wrong());
    } catch (AssertionError | RuntimeException e) {
      e.printStackTrace(System.out);
      report(engine, what.name(), List.of(String.valueOf(e.getMessage())));
      run.abandon();
    }
  }

  private void report(Engine engine, String name, List<String> problems) {
    wrong += problems.size();
    for (String problem : problems) {
      System.out.println("WRONG " + engine + " " + name + ": " + problem);
    }
  }
}
