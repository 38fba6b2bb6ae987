package dev.heldcall.gateway.cli;

import dev.heldcall.gateway.cli.bench.Benchmarks;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code heldcall bench}: what the product costs, measured over HTTP against a node of its own on
 * the embedded database, or on the one that {@code HELDCALL_DB_URL} names.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "The benchmarks, with their figures as a table and as JSON.")
public final class BenchCommand implements Runnable {

  @Spec private @Nullable CommandSpec spec;

  @Override
  public void run() {
    if (spec != null) {
      throw new ParameterException(spec.commandLine(), "a benchmark is needed: cycle or park");
    }
  }

  @Command(
      name = "cycle",
      description = "Full cycles: propose, approve, effect, result, acknowledged.")
  int cycle(
      @Option(
              names = "--in-flight",
              paramLabel = "N",
              split = ",",
              defaultValue = "1,16,64,256",
              description = "Cycles under way at a time, one run each (${DEFAULT-VALUE}).")
          List<Integer> inFlight,
      @Option(
              names = "--seconds",
              paramLabel = "N",
              defaultValue = "15",
              description = "How long each run takes (${DEFAULT-VALUE}).")
          int seconds,
      @Option(
              names = "--warm-up",
              paramLabel = "N",
              defaultValue = "20",
              description = "Seconds at 64 in flight before the first run (${DEFAULT-VALUE}).")
          int warmUp)
      throws IOException, InterruptedException, ExecutionException {
    if (inFlight.stream().anyMatch(each -> each < 1 || each > 512) || seconds < 1 || warmUp < 0) {
      throw new ParameterException(
          java.util.Objects.requireNonNull(spec).commandLine(),
          "--in-flight takes numbers from 1 to 512, --seconds 1 or more, --warm-up 0 or more");
    }
    Benchmarks.cycle(inFlight, Duration.ofSeconds(seconds), Duration.ofSeconds(warmUp), System.out);
    return 0;
  }

  @Command(name = "park", description = "What a call costs that only waits.")
  int park(
      @Option(
              names = "--calls",
              paramLabel = "N",
              defaultValue = "100000",
              description = "How many calls are parked (${DEFAULT-VALUE}).")
          int calls,
      @Option(
              names = "--in-flight",
              paramLabel = "N",
              defaultValue = "64",
              description = "Proposals under way at a time (${DEFAULT-VALUE}).")
          int inFlight)
      throws IOException, InterruptedException, ExecutionException {
    if (calls < 1 || inFlight < 1 || inFlight > 512) {
      throw new ParameterException(
          java.util.Objects.requireNonNull(spec).commandLine(),
          "--calls takes 1 or more, --in-flight numbers from 1 to 512");
    }
    Benchmarks.park(calls, inFlight, System.out);
    return 0;
  }
}
