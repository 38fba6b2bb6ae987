package dev.heldcall.gateway.cluster;

import static org.awaitility.Awaitility.await;

import dev.heldcall.gateway.product.Json;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The long trial of three nodes, {@code ./heldcall bench cluster}: at first a minute of more
 * clients than the machine has room for, in which no node may be taken for dead; then each node in
 * turn is killed, paused, cut off and told to end, round after round. Prints what each fault cost
 * as a table, the sum as a line of JSON, and ends with 1 if a promise was broken.
 */
public final class ClusterBench {

  private static final Duration PAUSE = Duration.ofSeconds(12);
  private static final int CROWD = 64;

  private final Trial trial;
  private final Path folder;
  private final PrintStream out;
  private final List<Long> kills = new ArrayList<>();
  private int faults;

  private ClusterBench(Trial trial, Path folder, PrintStream out) {
    this.trial = trial;
    this.folder = folder;
    this.out = out;
  }

  /** Runs it: {@code [--minutes N] [--clients N] [--seed N] [--crowd SECONDS]}. */
  public static void main(String[] arguments) throws Exception {
    long minutes = 10;
    long seed = 1;
    int clients = 8;
    long crowd = 60;
    for (int i = 0; i < arguments.length; i += 2) {
      if (i + 1 == arguments.length) {
        throw new IllegalArgumentException(arguments[i] + " needs a number");
      }
      long value = Long.parseLong(arguments[i + 1]);
      switch (arguments[i]) {
        case "--minutes" -> minutes = value;
        case "--clients" -> clients = (int) value;
        case "--seed" -> seed = value;
        case "--crowd" -> crowd = value;
        default -> throw new IllegalArgumentException("no option " + arguments[i]);
      }
    }
    Path folder = Files.createTempDirectory("heldcall-cluster-");
    int code;
    try (Trial trial = new Trial(folder, List.of("-Xmx600m"))) {
      code = new ClusterBench(trial, folder, System.out).run(minutes, clients, seed, crowd);
    }
    System.exit(code);
  }

  private int run(long minutes, int clients, long seed, long crowdSeconds) throws Exception {
    out.println("logs are in " + folder);
    long since = System.nanoTime();
    trial.form();
    out.printf("three nodes formed a cluster within %d ms%n", millis(since));
    out.printf("%-10s %-10s %14s %10s  %s%n", "fault", "node", "no answer ms", "stories", "then");
    crowd(crowdSeconds, seed);
    trial.load(clients, seed);
    long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
    while (System.nanoTime() < until) {
      for (int node = 0; node < 3 && System.nanoTime() < until; node++) {
        kill(node);
        pause(node);
        cut(node);
        terminate(node);
      }
    }
    List<String> problems = trial.problems();
    problems.stream().limit(50).forEach(out::println);
    out.println(
        Json.of(
            "faults", faults,
            "stories", trial.told(),
            "calls", trial.history().calls().size(),
            "answers",
                Json.of(
                    trial.history().counts().entrySet().stream()
                        .flatMap(
                            each ->
                                java.util.stream.Stream.of(each.getKey(), each.getValue().get()))
                        .toArray()),
            "kill_no_answer_ms", kills,
            "problems", problems.size()));
    return problems.isEmpty() ? 0 : 1;
  }

  /** More load than the machine has room for; whoever is only slow must not be taken for dead. */
  private void crowd(long seconds, long seed) throws InterruptedException, IOException {
    long before = trial.told();
    trial.crowd(CROWD, seed, Duration.ofSeconds(seconds));
    int unreachable = trial.logged("Marking node").size();
    int downed = trial.logged("is downing").size();
    if (downed > 0) {
      trial.history().broken(downed + " nodes were put out for being slow");
    }
    row(
        "crowd",
        "all",
        0,
        trial.told() - before,
        unreachable + " suspected, " + downed + " put out");
  }

  private void kill(int node) throws Exception {
    int told = trial.told();
    long away = trial.kill(node);
    kills.add(away);
    if (away > Trial.BOUND.toMillis()) {
      trial.history().broken("calls did not answer for " + away + " ms after a kill");
    }
    row("kill", node, away, told, restarted(node));
  }

  private void pause(int node) throws Exception {
    int told = trial.told();
    long away = trial.pause(node, PAUSE);
    trial.awaitPutOut(node);
    row("pause", node, away, told, "put out, " + restarted(node));
  }

  /** One that is cut off, put out and started again before the cut is mended stays outside. */
  private void cut(int node) throws Exception {
    int told = trial.told();
    long away = trial.cut(node);
    trial.awaitPutOut(node);
    var ready = trial.node(node).start();
    await()
        .during(Duration.ofSeconds(8))
        .atMost(Duration.ofSeconds(20))
        .until(() -> !ready.isDone());
    trial.mend();
    long since = System.nanoTime();
    ready.join();
    trial.awaitAllMembers();
    row("cut", node, away, told, "put out, back " + millis(since) + " ms after it was mended");
  }

  private void terminate(int node) throws Exception {
    int told = trial.told();
    long took = trial.terminate(node);
    row("SIGTERM", node, 0, told, "ended after " + took + " ms, " + restarted(node));
  }

  private String restarted(int node) throws IOException {
    long since = System.nanoTime();
    trial.restart(node);
    return "back after " + millis(since) + " ms";
  }

  private void row(String fault, int node, long away, int toldBefore, String then) {
    faults++;
    row(fault, trial.node(node).host(), away, trial.told() - toldBefore, then);
  }

  private void row(String fault, String node, long away, long stories, String then) {
    out.printf("%-10s %-10s %14d %10d  %s%n", fault, node, away, stories, then);
  }

  private static long millis(long since) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
  }
}
