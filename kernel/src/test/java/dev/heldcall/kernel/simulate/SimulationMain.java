package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.codec.JournalCodec;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code ./heldcall bench simulate}: plays seeds, or one of them step by step. */
public final class SimulationMain {

  private static final int WRONG_USE = 2;

  private long seeds = 10_000;
  private long from = 1;
  private int threads = Runtime.getRuntime().availableProcessors();
  private @Nullable Long seed;
  private boolean trace;
  private final Set<Plant> plants = EnumSet.noneOf(Plant.class);

  private SimulationMain() {}

  /** Exits with 0 if nothing was broken, 1 if something was, 2 on wrong use. */
  public static void main(String[] arguments) {
    SimulationMain main = new SimulationMain();
    int exit;
    try {
      main.read(arguments);
      exit = main.run();
    } catch (IllegalArgumentException e) {
      System.err.println("heldcall: bench simulate: " + e.getMessage());
      exit = WRONG_USE;
    }
    System.exit(exit);
  }

  private void read(String[] arguments) {
    for (int i = 0; i < arguments.length; i++) {
      String option = arguments[i];
      if (option.equals("--trace")) {
        trace = true;
        continue;
      }
      String value = i + 1 < arguments.length ? arguments[++i] : "";
      switch (option) {
        case "--seeds" -> seeds = number(option, value, 1);
        case "--from" -> from = number(option, value, 0);
        case "--seed" -> seed = number(option, value, 0);
        case "--threads" -> threads = (int) Math.min(64, number(option, value, 1));
        case "--plant" -> plants.add(plant(value));
        default -> throw new IllegalArgumentException("no option '" + option + "'");
      }
    }
    if (trace && seed == null) {
      throw new IllegalArgumentException("--trace needs --seed");
    }
  }

  private static long number(String option, String text, long least) {
    try {
      long number = Long.parseLong(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(option + " needs a number, not '" + text + "'", e);
    }
    throw new IllegalArgumentException(option + " is at least " + least);
  }

  private static Plant plant(String name) {
    try {
      return Plant.valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    } catch (IllegalArgumentException e) {
      StringBuilder known = new StringBuilder("no bug '" + name + "' to plant; there are:");
      for (Plant each : Plant.values()) {
        known.append("\n  ").append(each).append(": ").append(each.text);
      }
      throw new IllegalArgumentException(known.toString(), e);
    }
  }

  private int run() {
    Long one = seed;
    if (one != null) {
      return play(one);
    }
    long begun = System.nanoTime();
    CampaignResult result = Campaign.run(from, seeds, threads, plants);
    System.out.print(result.table());
    System.out.printf(
        Locale.ROOT, "%nin %.1f s with %d threads%n", (System.nanoTime() - begun) / 1e9, threads);
    result
        .broken()
        .forEach(each -> System.out.println("seed " + each.seed() + ": " + each.violation()));
    result.broken().stream()
        .limit(1)
        .forEach(each -> System.out.println("\n" + Replay.of(each, plants)));
    return result.broken().isEmpty() ? 0 : 1;
  }

  private int play(long one) {
    SeedResult result =
        trace
            ? Simulation.replay(one, new JournalCodec(), plants)
            : Simulation.run(one, new JournalCodec(), plants);
    result.lines().forEach(System.out::println);
    System.out.printf(
        Locale.ROOT,
        "seed %d, a %s run: %d steps, digest %016x, %s%n",
        one,
        result.live() ? "liveness" : "safety",
        result.steps(),
        result.digest(),
        result.violation() == null ? "nothing broken" : "BROKEN " + result.violation());
    return result.violation() == null ? 0 : 1;
  }
}
