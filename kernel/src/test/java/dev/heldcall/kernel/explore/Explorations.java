package dev.heldcall.kernel.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Every scenario's exploration. */
final class Explorations {

  private Explorations() {}

  /** Whether more of everything is asked for. */
  static boolean deep() {
    return Boolean.getBoolean("heldcall.explore.deep");
  }

  /** Explores them all, two at a time. */
  static List<Exploration> explored(Transitions transitions) {
    boolean deep = deep();
    try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
      List<Future<Exploration>> running = new ArrayList<>();
      for (Scenario each : Scenarios.all()) {
        Scenario scenario = deep ? each.deeper() : each;
        int bound = deep ? 20_000_000 : 200_000;
        running.add(threads.submit(() -> Explorer.explore(scenario, transitions, bound)));
      }
      return running.stream().map(Explorations::join).toList();
    }
  }

  private static Exploration join(Future<Exploration> running) {
    try {
      return running.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the explorer failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
