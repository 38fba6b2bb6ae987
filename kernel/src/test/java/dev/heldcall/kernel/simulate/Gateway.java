package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node's front: passes commands to calls, and links a proposal with edges before it exists. */
final class Gateway {

  private final Simulation world;

  Gateway(Simulation world) {
    this.world = world;
  }

  /** Gives a command to a call. */
  void execute(
      Node node, String heldId, HeldCallCommand command, long wait, Consumer<CallReply> answered) {
    CallMessage.ReplyTo once = once(node, answered);
    world.cluster().tell(node, heldId, new CallMessage.Execute(command, wait, once));
  }

  /** Reads how a call stands. */
  void read(Node node, String heldId, Consumer<CallReply> answered) {
    world.cluster().tell(node, heldId, new CallMessage.Read(once(node, answered)));
  }

  private CallMessage.ReplyTo once(Node node, Consumer<CallReply> answered) {
    boolean[] done = new boolean[1];
    return (from, reply) ->
        world
            .network()
            .send(
                from,
                node,
                "an answer",
                () -> {
                  if (!done[0]) {
                    done[0] = true;
                    answered.accept(reply);
                  }
                });
  }

  /** Proposes a call, as {@code ShardedHeldCalls} and {@code ProposalChecks} do. */
  void propose(
      Node node, Proposal proposal, String heldId, long wait, Consumer<CallReply> answered) {
    if (proposal.dependsOn().isEmpty() && proposal.parentHeldId() == null) {
      propose(node, proposal, heldId, world.scenario().rootSession(), wait, answered);
      return;
    }
    read(
        node,
        heldId,
        known -> {
          if (known.facts().proposed()) {
            String root = known.facts().requireSpec().rootSession();
            propose(node, proposal, heldId, root, wait, answered);
          } else {
            List<String> others = new ArrayList<>(proposal.dependsOn());
            if (proposal.parentHeldId() != null) {
              others.add(proposal.parentHeldId());
            }
            readAll(
                node,
                others,
                new ArrayList<>(),
                found -> link(node, proposal, heldId, found, wait, answered));
          }
        });
  }

  private void readAll(
      Node node, List<String> ids, List<HeldCallFacts> found, Consumer<List<HeldCallFacts>> then) {
    if (found.size() == ids.size()) {
      then.accept(found);
    } else {
      read(
          node,
          ids.get(found.size()),
          reply -> {
            found.add(reply.facts());
            readAll(node, ids, found, then);
          });
    }
  }

  private void link(
      Node node,
      Proposal proposal,
      String heldId,
      List<HeldCallFacts> found,
      long wait,
      Consumer<CallReply> answered) {
    Set<String> roots = new TreeSet<>();
    for (HeldCallFacts each : found) {
      if (!each.proposed()) {
        answered.accept(refused(node, Problem.UNKNOWN_DEPENDENCY));
        return;
      }
      roots.add(each.requireSpec().rootSession());
    }
    if (roots.size() != 1) {
      answered.accept(refused(node, Problem.UNKNOWN_DEPENDENCY));
      return;
    }
    String root = roots.iterator().next();
    SessionShell.LinkedTo linked =
        (from, problem) ->
            world
                .network()
                .send(
                    from,
                    node,
                    "linked",
                    () -> linked(node, proposal, heldId, root, problem, wait, answered));
    world
        .cluster()
        .link(
            node,
            root,
            new SessionShell.Link(heldId, proposal.dependsOn(), proposal.parentHeldId(), linked));
  }

  private void linked(
      Node node,
      Proposal proposal,
      String heldId,
      String root,
      @Nullable Problem problem,
      long wait,
      Consumer<CallReply> answered) {
    String parent = proposal.parentHeldId();
    if (problem != null) {
      answered.accept(refused(node, problem));
    } else if (parent == null) {
      propose(node, proposal, heldId, root, wait, answered);
    } else {
      execute(
          node,
          parent,
          new HeldCallCommand.AnnounceChild(heldId),
          0,
          announced -> propose(node, proposal, heldId, root, wait, answered));
    }
  }

  private void propose(
      Node node,
      Proposal proposal,
      String heldId,
      String root,
      long wait,
      Consumer<CallReply> answered) {
    HeldCallCommand command =
        new HeldCallCommand.ProposeCall(CoreFixtures.AGENT, proposal, root, CoreFixtures.PLUGINS);
    execute(node, heldId, command, wait, answered);
  }

  private static CallReply refused(Node node, Problem problem) {
    return new CallReply(
        0,
        HeldCallFacts.NONE,
        new Answer.Refused(Rejection.of(problem, "refused before the call was reached")),
        node.clock());
  }
}
