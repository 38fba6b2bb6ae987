package dev.heldcall.gateway.cli.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Drives full cycles: propose, approve, effect, result, acknowledged. */
final class CycleBench {

  /** Calls of each client whose history is looked at. */
  private static final int LOOKED_AT = 8;

  private static final Pattern DECIDED_AT = Pattern.compile("\"at\":\"([^\"]+)\"");

  private final BenchNode node;
  private final BenchTool tool;
  private int rounds;

  CycleBench(BenchNode node, BenchTool tool) {
    this.node = node;
    this.tool = tool;
  }

  /**
   * What one run found.
   *
   * @param inFlight how many cycles were under way at a time
   * @param cycles how many were finished
   * @param perSecond cycles a second
   * @param propose until the hold was acknowledged
   * @param effect from sending the approval to the request's first line at the tool
   * @param whole the whole cycle
   * @param nodeCpuMillis CPU of the node a cycle; with the embedded database, its too
   * @param databaseCpuMillis CPU of PostgreSQL a cycle, 0 if it is not on this machine
   * @param journalWrites decisions written to the journal a cycle: the distinct times of decision
   *     in a call's history
   */
  record Run(
      int inFlight,
      int cycles,
      double perSecond,
      Samples propose,
      Samples effect,
      Samples whole,
      double nodeCpuMillis,
      double databaseCpuMillis,
      int journalWrites) {}

  private static final class Part {
    final Samples propose = new Samples();
    final Samples effect = new Samples();
    final Samples whole = new Samples();
    final Deque<String> last = new ArrayDeque<>();
  }

  /** Runs for so long. */
  Run run(int inFlight, Duration howLong)
      throws IOException, InterruptedException, ExecutionException {
    int round = ++rounds;
    Duration nodeBefore = ProcessCosts.cpu(node.pid());
    Duration databaseBefore = ProcessCosts.databaseCpu();
    long start = System.nanoTime();
    long end = start + howLong.toNanos();
    List<Part> parts = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(inFlight)) {
      List<Future<Part>> running = new ArrayList<>();
      for (int i = 0; i < inFlight; i++) {
        String session = "bench-" + System.nanoTime() + "-" + round + "-" + i;
        running.add(threads.submit(() -> cycles(session, end)));
      }
      for (Future<Part> each : running) {
        parts.add(each.get());
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double nodeMillis = ProcessCosts.cpu(node.pid()).minus(nodeBefore).toNanos() / 1e6;
    double databaseMillis = ProcessCosts.databaseCpu().minus(databaseBefore).toNanos() / 1e6;
    Part all = new Part();
    for (Part part : parts) {
      all.propose.addAll(part.propose);
      all.effect.addAll(part.effect);
      all.whole.addAll(part.whole);
    }
    int cycles = Math.max(1, all.whole.count());
    return new Run(
        inFlight,
        all.whole.count(),
        all.whole.count() / seconds,
        all.propose,
        all.effect,
        all.whole,
        nodeMillis / cycles,
        Math.max(0, databaseMillis) / cycles,
        journalWrites(parts));
  }

  private Part cycles(String session, long end) throws IOException {
    Part part = new Part();
    try (BenchAgent agent = new BenchAgent(node.uri(), session)) {
      while (System.nanoTime() < end) {
        long start = System.nanoTime();
        BenchAgent.Held held = agent.propose();
        long proposed = System.nanoTime();
        agent.approve(held);
        String delivery = agent.receive();
        agent.acknowledge(delivery);
        part.whole.add(System.nanoTime() - start);
        part.propose.add(proposed - start);
        // The result is here, so its effect was before.
        long arrived = tool.takeArrival(held.heldId(), Duration.ZERO);
        part.effect.add(arrived - proposed);
        part.last.addLast(held.heldId());
        if (part.last.size() > LOOKED_AT) {
          var _ = part.last.removeFirst();
        }
      }
    }
    return part;
  }

  private int journalWrites(List<Part> parts) throws IOException {
    int most = 0;
    try (BenchAgent reader = new BenchAgent(node.uri(), "bench-reader")) {
      for (Part part : parts) {
        for (String heldId : part.last) {
          Set<String> decided = new HashSet<>();
          Matcher each = DECIDED_AT.matcher(reader.history(heldId));
          while (each.find()) {
            decided.add(each.group(1));
          }
          most = Math.max(most, decided.size());
        }
      }
    }
    return most;
  }
}
