package dev.heldcall.kernel.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LeaseRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Looks after unknown outcomes: resolves them by what is so, once nothing can happen any more. */
final class Operators {

  private static final JsonNode DONE = CoreFixtures.json("{'id': '7'}");
  private static final JsonNode TICKET = CoreFixtures.json("{'ticket': 'T-1'}");
  private static final long SURE_MILLIS = 25_000;

  private final Simulation world;
  private final SplittableRandom random;
  private final Client client;
  private final Map<String, Integer> looks = new HashMap<>();
  private final boolean present;

  Operators(Simulation world) {
    this.world = world;
    this.random = world.random();
    this.client = new Client(world, "operator");
    this.present = random.nextInt(6) > 0;
  }

  Client client() {
    return client;
  }

  /** Something changed about a call: perhaps its outcome is unknown. */
  void changed(String heldId, HeldCallFacts facts) {
    if (present && facts.execution() == Execution.OUTCOME_UNKNOWN) {
      int look = looks.merge(heldId, 1, Integer::sum);
      world.timeline().after(5_000 + random.nextInt(40_000), () -> look(heldId, look));
    }
  }

  private void look(String heldId, int look) {
    HeldCallFacts facts = world.journal().facts(heldId);
    if (looks.getOrDefault(heldId, 0) != look
        || facts.concluded()
        || facts.execution() != Execution.OUTCOME_UNKNOWN) {
      return;
    }
    LeaseRecord effective = null;
    for (LeaseRecord each : facts.leases()) {
      if (world.tools().hasEffect(each.lease())) {
        effective = each;
      }
    }
    boolean sure =
        world.tools().quiet(heldId)
            && facts.leases().stream()
                .allMatch(
                    each ->
                        world.timeline().now()
                            > world.oracle().leasedAt(each.lease()) + SURE_MILLIS);
    if (effective != null || sure) {
      resolve(heldId, effective != null);
    }
    world.timeline().after(10_000 + random.nextInt(10_000), () -> look(heldId, look));
  }

  private void resolve(String heldId, boolean effect) {
    HeldCallCommand command =
        new HeldCallCommand.ResolveOutcome(
            CoreFixtures.OPERATOR, effect, effect ? DONE : null, TICKET);
    client.want(
        "resolve " + Scenario.shortName(heldId),
        0,
        (node, answered) -> world.gateway().execute(node, heldId, command, 0, answered),
        reply -> {});
  }
}
