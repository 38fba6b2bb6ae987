package dev.heldcall.kernel.simulate;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Messages between nodes, and between nodes and clients: lost, late, twice, out of order. */
final class Network {

  private static final int ENDS = 8;

  private final Simulation world;
  private final SplittableRandom random;
  private final long[][] sent = new long[ENDS][ENDS];
  private final long[][] newestCome = new long[ENDS][ENDS];

  Network(Simulation world) {
    this.world = world;
    this.random = world.random();
  }

  /** Sends to a node's process; what is said on one node is said at once and for sure. */
  void send(@Nullable Node from, Node to, String what, Runnable come) {
    if (from == to) {
      world.timeline().after(0, to, come);
      return;
    }
    if (from != null && world.cluster().parted(from, to)) {
      world.trace().note(to.name(), "is cut off from", () -> what);
      return;
    }
    int end = from == null ? 0 : from.id() + 1;
    carry(end, to.id() + 1, what, (delay, run) -> world.timeline().after(delay, to, run), come);
  }

  /** Sends an answer out of the cluster. */
  void answer(Node from, Client to, String what, Runnable come) {
    carry(
        from.id() + 1,
        0,
        what,
        (delay, run) -> world.timeline().after(delay, run),
        () -> to.ifUp(come));
  }

  private interface Carrier {
    void carry(long delay, Runnable come);
  }

  private void carry(int from, int to, String what, Carrier carrier, Runnable come) {
    Faults faults = world.faults();
    if (faults.strikes(Fault.MESSAGE_LOST)) {
      world.trace().note("network", "loses", () -> what);
      return;
    }
    long number = ++sent[from][to];
    int copies = faults.strikes(Fault.MESSAGE_DOUBLED) ? 2 : 1;
    for (int copy = 0; copy < copies; copy++) {
      long delay = 1L + random.nextInt(8);
      if (faults.strikes(Fault.MESSAGE_DELAYED)) {
        delay += 100L + random.nextInt(6_000);
        world.trace().note("network", "delays", () -> what);
      }
      carrier.carry(
          delay,
          () -> {
            arrived(from, to, number);
            come.run();
          });
    }
  }

  private void arrived(int from, int to, long number) {
    if (number < newestCome[from][to]) {
      world.faults().count(Fault.MESSAGE_REORDERED);
    }
    newestCome[from][to] = Math.max(newestCome[from][to], number);
  }
}
