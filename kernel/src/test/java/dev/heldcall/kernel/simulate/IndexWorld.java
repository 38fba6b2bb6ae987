package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.Enabling;
import dev.heldcall.kernel.call.HeldCallFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The projection and the sweeper: some time after the journal, a call's row says when it is due; a
 * due call is woken, and again after a pause for as long as it stays due.
 */
final class IndexWorld {

  private static final int PACE_MILLIS = 500;
  private static final int AGAIN_MILLIS = 10_000;

  private final Simulation world;
  private final SplittableRandom random;
  private final Map<String, Integer> projections = new HashMap<>();
  private final Map<String, Integer> rows = new HashMap<>();

  IndexWorld(Simulation world) {
    this.world = world;
    this.random = world.random();
  }

  /** The journal has something new of the call. */
  void changed(String heldId) {
    int newest = projections.merge(heldId, 1, Integer::sum);
    long lag = 50L + random.nextInt(250);
    if (world.faults().strikes(Fault.INDEX_LAGS)) {
      lag += 1_000L + random.nextInt(9_000);
    }
    world
        .timeline()
        .after(
            lag,
            () -> {
              if (projections.getOrDefault(heldId, 0) == newest) {
                project(heldId);
              }
            });
  }

  private void project(String heldId) {
    HeldCallFacts facts = world.journal().facts(heldId);
    if (facts.concluded()) {
      world.mailbox().project(facts);
      if (facts.delivery() == Delivery.ACKNOWLEDGED) {
        world.mailbox().mark(facts);
      }
    }
    int row = rows.merge(heldId, 1, Integer::sum);
    Instant due = Enabling.nextDue(facts);
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
