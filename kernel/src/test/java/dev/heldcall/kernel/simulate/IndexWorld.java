package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.Enabling;
import dev.heldcall.kernel.call.HeldCallFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The read side: nodes write the rows of their calls, newest facts win, and what a node left out is
 * found missing against the journal. A row says when its call is due; a due call is woken, and
 * again after a pause for as long as it stays due.
 */
final class IndexWorld {

  private static final long LINGER_MILLIS = 100;
  private static final int NEAR_MILLIS = 800;
  private static final int FAR_MILLIS = 61_000;
  private static final int PACE_MILLIS = 500;
  private static final int AGAIN_MILLIS = 10_000;

  private final Simulation world;
  private final SplittableRandom random;
  private final Map<String, Long> sequences = new HashMap<>();
  private final Map<String, Integer> rows = new HashMap<>();

  IndexWorld(Simulation world) {
    this.world = world;
    this.random = world.random();
  }

  /** A node's call has changed; its row is written soon, or never by this node. */
  void changed(Node node, HeldCallFacts facts, long sequence) {
    if (world.faults().strikes(Fault.ROW_LOST)) {
      return;
    }
    long lag = LINGER_MILLIS + random.nextInt(20);
    if (world.faults().strikes(Fault.INDEX_LAGS)) {
      lag += 1_000L + random.nextInt(9_000);
    }
    world.timeline().after(lag, node, () -> write(facts, sequence, false));
  }

  /** The journal took something of the call: the tail of it is looked at twice. */
  void appended(String heldId) {
    world.timeline().after(NEAR_MILLIS + random.nextInt(1_000), () -> look(heldId));
    world.timeline().after(FAR_MILLIS + random.nextInt(1_000), () -> look(heldId));
  }

  private void look(String heldId) {
    long written = world.journal().size(heldId);
    if (sequences.getOrDefault(heldId, 0L) < written) {
      write(world.journal().facts(heldId), written, true);
    }
  }

  /**
   * Writes the call's row and, if it is concluded, its conclusion, in one transaction.
   *
   * @param wake whether a call that is not concluded is woken soon: nobody knows what it missed
   */
  void write(HeldCallFacts facts, long sequence, boolean wake) {
    String heldId = facts.requireSpec().heldId();
    if (facts.concluded()) {
      world.mailbox().conclude(facts);
    }
    if (sequences.getOrDefault(heldId, 0L) > sequence) {
      return;
    }
    sequences.put(heldId, sequence);
    int row = rows.merge(heldId, 1, Integer::sum);
    Instant due = wake && !facts.concluded() ? facts.lastEventAt() : Enabling.nextDue(facts);
    if (due != null && !world.planted(Plant.NEVER_WOKEN)) {
      long in = Duration.between(CoreFixtures.START, due).toMillis() - world.timeline().now();
      sweep(heldId, row, Math.max(0, in) + random.nextInt(PACE_MILLIS));
    }
  }

  private void sweep(String heldId, int row, long millis) {
    world
        .timeline()
        .after(
            millis,
            () -> {
              if (rows.getOrDefault(heldId, 0) == row) {
                Node sweeper = world.cluster().any();
                if (sweeper != null) {
                  world.cluster().tell(sweeper, heldId, new CallMessage.Wake());
                }
                sweep(heldId, row, AGAIN_MILLIS + random.nextInt(PACE_MILLIS));
              }
            });
  }
}
