package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.codec.JournalCodec;
import java.util.List;
import java.util.Set;

/** Plays a seed once more to tell what happened in it. */
final class Replay {

  private static final int LAST = 60;

  private Replay() {}

  /** The violation, the last steps before it, and how to see all of them. */
  static String of(SeedResult broken, Set<Plant> plants) {
    SeedResult again = Simulation.replay(broken.seed(), new JournalCodec(), plants);
    if (again.digest() != broken.digest()) {
      return "seed " + broken.seed() + " went another way the second time: " + broken.violation();
    }
    List<String> lines = again.lines();
    StringBuilder command =
        new StringBuilder("./heldcall bench simulate --seed " + broken.seed() + " --trace");
    plants.stream().sorted().forEach(each -> command.append(" --plant ").append(each));
    return "seed %d, a %s run, after %d steps: %s%n%nthe last of what happened:%n%s%n%n%s"
        .formatted(
            broken.seed(),
            broken.live() ? "liveness" : "safety",
            broken.steps(),
            broken.violation(),
            String.join("\n", lines.subList(Math.max(0, lines.size() - LAST), lines.size())),
            "all of it: " + command);
  }
}
