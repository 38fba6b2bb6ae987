package dev.heldcall.kernel.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.Principal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Runs what its client runs: takes leases, has the effect once a lease and only before its
 * deadline, reports, dies in between, or reports late. It knows which leases it has begun.
 */
final class Workers {

  private static final JsonNode DONE = LiveCall.answer(true, "{'id': '7'}").content();
  private static final long LAST_BEGIN_MILLIS = 4_000;

  private final Simulation world;
  private final SplittableRandom random;
  private final Client client;
  private final Map<String, Integer> looks = new HashMap<>();
  private final Map<String, Integer> requests = new HashMap<>();
  private final Set<String> begun = new HashSet<>();
  private final Set<String> asking = new HashSet<>();

  Workers(Simulation world) {
    this.world = world;
    this.random = world.random();
    this.client = new Client(world, "worker");
  }

  Client client() {
    return client;
  }

  /** Something changed about a call: perhaps there is work. */
  void changed(String heldId, HeldCallFacts facts) {
    Ruling ruling = facts.ruling();
    if (ruling != null && ruling.traits().executor() == ExecutorKind.CLIENT && !facts.concluded()) {
      int look = looks.merge(heldId, 1, Integer::sum);
      world.timeline().after(100 + random.nextInt(2_500), () -> look(heldId, look, 2_500));
    }
  }

  private void look(String heldId, int look, long pause) {
    HeldCallFacts facts = world.journal().facts(heldId);
    if (looks.getOrDefault(heldId, 0) != look || facts.concluded()) {
      return;
    }
    boolean mayAgain = facts.execution() == Execution.OUTCOME_UNKNOWN && random.nextBoolean();
    if ((facts.execution() == Execution.NONE || mayAgain) && asking.add(heldId)) {
      take(heldId, facts.requireGeneration().number());
    }
    long longer = Math.min(pause * 2, 60_000);
    world.timeline().after(pause, () -> look(heldId, look, longer));
  }

  private void take(String heldId, int generation) {
    Principal by = random.nextInt(3) == 0 ? CoreFixtures.AGENT : CoreFixtures.WORKER;
    String key = "take-" + requests.merge(heldId, 1, Integer::sum);
    HeldCallCommand command = new HeldCallCommand.TakeLease(by, generation, "worker-process", key);
    client.want(
        "take " + Scenario.shortName(heldId),
        0,
        (node, answered) -> world.gateway().execute(node, heldId, command, 0, answered),
        reply -> {
          asking.remove(heldId);
          took(by, reply);
        });
  }

  private void took(Principal by, CallReply reply) {
    if (!(reply.answer() instanceof Answer.Leased leased) || !begun.add(leased.lease().leaseId())) {
      return;
    }
    Lease lease = leased.lease();
    String tool = reply.facts().requireGeneration().tool();
    if (reply.facts().requireGeneration().number() != lease.token().generation()
        || world.timeline().now() > world.oracle().leasedAt(lease) + LAST_BEGIN_MILLIS) {
      return;
    }
    boolean dies = world.faults().strikes(Fault.WORKER_DIED);
    if (dies && random.nextBoolean()) {
      client.crash(500 + random.nextInt(5_000));
      return;
    }
    world.tools().effect(lease, tool);
    if (dies) {
      client.crash(500 + random.nextInt(5_000));
      return;
    }
    boolean late = world.faults().strikes(Fault.WORKER_LATE);
    world
        .timeline()
        .after(
            late ? 5_500 + random.nextInt(20_000) : random.nextInt(1_500), () -> report(by, lease));
  }

  private void report(Principal by, Lease lease) {
    HeldCallCommand command = new HeldCallCommand.ReportOutcome(by, lease.leaseId(), true, DONE);
    client.want(
        "report " + Tell.lease(world, lease),
        0,
        (node, answered) -> world.gateway().execute(node, lease.heldId(), command, 0, answered),
        reply -> {});
  }
}
