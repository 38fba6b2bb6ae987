package dev.heldcall.gateway.cli.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Parks many held calls, and measures what each costs and how soon a node starts over them. */
final class ParkBench {

  /** Under the default bound of open calls a session. */
  private static final int CALLS_PER_SESSION = 500;

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final BenchNode node;
  private final BenchTool tool;
  private final int writers;

  ParkBench(BenchNode node, BenchTool tool, int writers) {
    this.node = node;
    this.tool = tool;
    this.writers = writers;
  }

  /**
   * What was found.
   *
   * @param parked how many calls
   * @param perSecond parks a second
   * @param heapBytes live heap a call once the node has been started again
   * @param residentBytes resident memory a call, likewise, over that of the empty node
   * @param diskBytes disk a call; 0 if the database is not embedded
   * @param startToEffect from starting the process over all parked calls to the first effect of one
   * @param emptyStartToEffect the same of the empty node
   */
  record Found(
      int parked,
      double perSecond,
      double heapBytes,
      double residentBytes,
      double diskBytes,
      Duration startToEffect,
      Duration emptyStartToEffect) {}

  private record Footprint(long heap, long resident) {}

  Found run(int calls) throws IOException, InterruptedException, ExecutionException {
    node.start();
    BenchAgent.Held first = proposeOne("bench-park-empty-" + System.nanoTime());
    node.stop();
    Duration emptyStart = startToEffect(first);
    Footprint empty = footprint();
    long diskBefore = BenchNode.embedded() ? ProcessCosts.diskBytes(node.data()) : 0;
    BenchAgent.Held woken = proposeOne("bench-park-woken-" + System.nanoTime());
    double perSecond = park(calls);
    node.stop();
    long diskAfter = BenchNode.embedded() ? ProcessCosts.diskBytes(node.data()) : 0;
    Duration start = startToEffect(woken);
    Footprint full = footprint();
    return new Found(
        calls,
        perSecond,
        (double) (full.heap() - empty.heap()) / calls,
        (double) (full.resident() - empty.resident()) / calls,
        (double) (diskAfter - diskBefore) / calls,
        start,
        emptyStart);
  }

  private BenchAgent.Held proposeOne(String session) throws IOException {
    try (BenchAgent agent = new BenchAgent(node.uri(), session)) {
      return agent.propose();
    }
  }

  private double park(int calls) throws InterruptedException, ExecutionException {
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(writers)) {
      List<Future<?>> running = new ArrayList<>();
      for (int first = 0; first < calls; first += CALLS_PER_SESSION) {
        String session = "bench-park-" + start + "-" + first;
        int count = Math.min(CALLS_PER_SESSION, calls - first);
        running.add(threads.submit(() -> parkInOne(session, count)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    return calls / ((System.nanoTime() - start) / 1e9);
  }

  private boolean parkInOne(String session, int count) throws IOException {
    try (BenchAgent agent = new BenchAgent(node.uri(), session)) {
      for (int i = 0; i < count; i++) {
        agent.propose();
      }
      return true;
    }
  }

  /** Starts the process, approves a call that was parked before, and waits for its effect. */
  private Duration startToEffect(BenchAgent.Held parked) throws IOException {
    long start = System.nanoTime();
    node.start();
    try (BenchAgent agent = new BenchAgent(node.uri(), "bench-park-approver")) {
      agent.approve(parked);
    }
    return Duration.ofNanos(tool.takeArrival(parked.heldId(), PATIENCE) - start);
  }

  private Footprint footprint() throws IOException, InterruptedException {
    long heap = ProcessCosts.liveHeapBytes(node.pid());
    return new Footprint(heap, ProcessCosts.residentBytes(node.pid()));
  }
}
