package dev.heldcall.gateway.cli.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** The benchmarks, each with a node and a tool of its own that it ends. */
public final class Benchmarks {

  private static final int WARM_UP_IN_FLIGHT = 64;

  private Benchmarks() {}

  /**
   * Runs full cycles.
   *
   * @param inFlight one run for each of these
   * @param howLong each run's length
   * @param warmUp length of a run before, whose figures are not shown
   * @param out where the figures go
   */
  public static void cycle(
      List<Integer> inFlight, Duration howLong, Duration warmUp, PrintStream out)
      throws IOException, InterruptedException, ExecutionException {
    try (BenchTool tool = BenchTool.open();
        BenchNode node = BenchNode.with(tool.uri())) {
      node.start();
      CycleBench bench = new CycleBench(node, tool);
      if (warmUp.isPositive()) {
        bench.run(WARM_UP_IN_FLIGHT, warmUp);
      }
      List<CycleBench.Run> runs = new ArrayList<>();
      for (int each : inFlight) {
        runs.add(bench.run(each, howLong));
      }
      BenchReport.print(out, runs);
    }
  }

  /**
   * Parks calls.
   *
   * @param calls how many
   * @param inFlight how many are proposed at a time
   * @param out where the figures go
   */
  public static void park(int calls, int inFlight, PrintStream out)
      throws IOException, InterruptedException, ExecutionException {
    try (BenchTool tool = BenchTool.open();
        BenchNode node = BenchNode.with(tool.uri())) {
      BenchReport.print(out, new ParkBench(node, tool, inFlight).run(calls));
    }
  }
}
