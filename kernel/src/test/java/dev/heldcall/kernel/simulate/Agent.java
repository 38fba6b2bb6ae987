package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/** Proposes calls, changes its mind about them, and takes its deliveries. */
final class Agent extends Client {

  private final Simulation world;
  private final SplittableRandom random;
  private final Set<String> left = new HashSet<>();
  private final Set<String> acknowledged = new HashSet<>();

  Agent(Simulation world) {
    super(world, "agent");
    this.world = world;
    this.random = world.random();
  }

  void begin() {
    for (Scenario.CallPlan plan : world.scenario().calls()) {
      world.timeline().after(plan.after(), () -> propose(plan));
      if (plan.cyclic()) {
        world.faults().count(Fault.CYCLE_TRIED);
      }
    }
  }

  /** Deliveries that it takes no notice of: they must stay where they are. */
  boolean leaves(String deliveryId) {
    return left.contains(deliveryId);
  }

  private void propose(Scenario.CallPlan plan) {
    Proposal proposal = plan.proposal();
    boolean waitsForUnknown =
        proposal.dependsOn().stream().anyMatch(id -> !world.journal().facts(id).proposed())
            || (proposal.parentHeldId() != null
                && !world.journal().facts(proposal.parentHeldId()).proposed());
    if (waitsForUnknown) {
      world.timeline().after(1_000 + random.nextInt(1_000), () -> propose(plan));
      return;
    }
    long wait = random.nextInt(3) == 0 ? random.nextInt(3_000) : 0;
    world.oracle().wanted(plan.heldId(), "proposal");
    want(
        "propose " + Scenario.shortName(plan.heldId()),
        wait,
        (node, answered) -> world.gateway().propose(node, proposal, plan.heldId(), wait, answered),
        reply -> proposed(plan, reply));
  }

  private void proposed(Scenario.CallPlan plan, CallReply reply) {
    if (!(reply.answer() instanceof Answer.Stands)) {
      return;
    }
    String heldId = plan.heldId();
    if (random.nextInt(100) < 40) {
      world.timeline().after(random.nextInt(12_000), () -> edit(heldId, 1 + random.nextInt(3)));
    }
    if (random.nextInt(100) < 18) {
      world.timeline().after(random.nextInt(25_000), () -> cancel(this, heldId, true));
    }
    if (random.nextInt(100) < 12) {
      contradict(plan);
    }
  }

  private void contradict(Scenario.CallPlan plan) {
    Proposal was = plan.proposal();
    Proposal other =
        Scenario.proposal(
            plan.number(), was.dependsOn(), was.parentHeldId(), Scenario.args(9), was.tool());
    world.faults().count(Fault.PROPOSAL_CONTRADICTED);
    want(
        "propose otherwise",
        0,
        (node, answered) -> world.gateway().propose(node, other, plan.heldId(), 0, answered),
        reply -> {});
  }

  private void edit(String heldId, int times) {
    want(
        "read " + Scenario.shortName(heldId),
        0,
        (node, answered) -> world.gateway().read(node, heldId, answered),
        reply -> edit(heldId, times, reply.facts()));
  }

  private void edit(String heldId, int times, HeldCallFacts seen) {
    if (!seen.proposed() || seen.concluded()) {
      return;
    }
    int generation = seen.requireGeneration().number();
    String tool = random.nextInt(3) == 0 ? world.scenario().tool() : null;
    HeldCallCommand command =
        new HeldCallCommand.EditCall(
            CoreFixtures.AGENT, generation, tool, Scenario.args(2_000 + 10 * generation));
    long wait = random.nextInt(4) == 0 ? 1_000 : 0;
    world.faults().count(Fault.CALL_EDITED);
    world.oracle().wanted(heldId, "edit " + generation);
    want(
        "edit " + Scenario.shortName(heldId),
        wait,
        (node, answered) -> world.gateway().execute(node, heldId, command, wait, answered),
        reply -> {
          if (times > 1) {
            world.timeline().after(random.nextInt(15_000), () -> edit(heldId, times - 1));
          }
        });
  }

  /** Cancels as the proposer, or as an operator. */
  void cancel(Client by, String heldId, boolean own) {
    HeldCallCommand command =
        new HeldCallCommand.CancelCall(
            own ? CoreFixtures.AGENT : CoreFixtures.OPERATOR, "no longer wanted");
    world.faults().count(Fault.CALL_CANCELLED);
    by.want(
        "cancel " + Scenario.shortName(heldId),
        0,
        (node, answered) -> world.gateway().execute(node, heldId, command, 0, answered),
        reply -> {});
  }

  /** The mailbox has a delivery: sooner or later it is seen and acknowledged. */
  void delivered(String heldId, String deliveryId) {
    if (random.nextInt(100) < 6) {
      left.add(deliveryId);
      return;
    }
    world
        .timeline()
        .after(
            50 + random.nextInt(3_000),
            () -> {
              if (acknowledged.add(deliveryId)) {
                acknowledge(heldId, deliveryId);
              }
            });
  }

  private void acknowledge(String heldId, String deliveryId) {
    HeldCallCommand command =
        new HeldCallCommand.AcknowledgeDelivery(CoreFixtures.AGENT, deliveryId);
    want(
        "acknowledge " + Scenario.shortName(heldId),
        0,
        (node, answered) -> world.gateway().execute(node, heldId, command, 0, answered),
        reply -> {
          if (reply.answer() instanceof Answer.Refused) {
            // A node on the wrong side of a partition has not heard of the conclusion. The mailbox
            // still shows the delivery as open, so the agent finds it again.
            world
                .timeline()
                .after(2_000 + random.nextInt(3_000), () -> acknowledge(heldId, deliveryId));
          }
        });
  }
}
