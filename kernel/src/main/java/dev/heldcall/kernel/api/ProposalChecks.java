package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.Access;
import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.call.SessionKey;
import dev.heldcall.kernel.call.Upstream;
import dev.heldcall.kernel.session.SessionEntity;
import dev.heldcall.plugin.api.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.jspecify.annotations.Nullable;

/**
 * Puts a proposal's edges into the dependency graph before the call exists: unknown calls, cycles
 * and depth are refused, and a parent knows of its child before the child may do anything. A call
 * without edges costs nothing here.
 */
final class ProposalChecks {

  private final EntityClient calls;
  private final ClusterSharding sharding;
  private final Duration askTimeout;

  ProposalChecks(EntityClient calls, ClusterSharding sharding, Duration askTimeout) {
    this.calls = calls;
    this.sharding = sharding;
    this.askTimeout = askTimeout;
  }

  /**
   * What came of it.
   *
   * @param rootSession the graph that the call is part of
   * @param rejection why it may not be proposed, or null
   * @param upstream what the calls it depends on are
   */
  record Linked(String rootSession, @Nullable Rejection rejection, Map<String, Upstream> upstream) {

    Linked(String rootSession, @Nullable Rejection rejection) {
      this(rootSession, rejection, Map.of());
    }
  }

  /** Links the call. */
  CompletionStage<Linked> link(Principal proposer, Proposal proposal, String heldId) {
    String own = SessionKey.of(proposer.ref(), proposal.sessionId());
    if (proposal.dependsOn().isEmpty() && proposal.parentHeldId() == null) {
      return CompletableFuture.completedFuture(new Linked(own, null));
    }
    return calls
        .facts(heldId)
        .thenCompose(
            known ->
                known.proposed()
                    ? CompletableFuture.completedFuture(
                        new Linked(known.requireSpec().rootSession(), null))
                    : linkNew(proposer, proposal, heldId, own));
  }

  private CompletionStage<Linked> linkNew(
      Principal proposer, Proposal proposal, String heldId, String own) {
    if (proposal.dependsOn().contains(heldId) || heldId.equals(proposal.parentHeldId())) {
      return refused(own, Problem.DEPENDENCY_CYCLE, "the call would wait for itself");
    }
    List<CompletableFuture<HeldCallFacts>> reads = new ArrayList<>();
    for (String dependency : proposal.dependsOn()) {
      reads.add(calls.facts(dependency).toCompletableFuture());
    }
    String parentId = proposal.parentHeldId();
    CompletableFuture<HeldCallFacts> parent =
        parentId == null
            ? CompletableFuture.completedFuture(HeldCallFacts.NONE)
            : calls.facts(parentId).toCompletableFuture();
    List<CompletableFuture<HeldCallFacts>> all = new ArrayList<>(reads);
    all.add(parent);
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
        .thenCompose(
            done -> {
              List<HeldCallFacts> found = reads.stream().map(CompletableFuture::join).toList();
              return linkTo(proposer, proposal, heldId, own, found, parent.join());
            });
  }

  private CompletionStage<Linked> linkTo(
      Principal proposer,
      Proposal proposal,
      String heldId,
      String own,
      List<HeldCallFacts> dependencies,
      HeldCallFacts parent) {
    for (int i = 0; i < dependencies.size(); i++) {
      HeldCallFacts each = dependencies.get(i);
      if (!each.proposed() || !Access.isProposer(each, proposer)) {
        return refused(
            own,
            Problem.UNKNOWN_DEPENDENCY,
            "depends_on names '" + proposal.dependsOn().get(i) + "', which is no call of yours");
      }
    }
    String parentId = proposal.parentHeldId();
    if (parentId != null && (!parent.proposed() || Access.toSee(parent, proposer) != null)) {
      return refused(
          own, Problem.UNKNOWN_DEPENDENCY, "parent_held_id names no call that you may see");
    }
    Set<String> roots = new TreeSet<>();
    dependencies.forEach(each -> roots.add(each.requireSpec().rootSession()));
    if (parentId != null) {
      roots.add(parent.requireSpec().rootSession());
    }
    if (roots.size() != 1) {
      return refused(
          own,
          Problem.UNKNOWN_DEPENDENCY,
          "the calls it waits for belong to several root sessions; they must share one");
    }
    Map<String, Upstream> upstream = new HashMap<>();
    for (HeldCallFacts each : dependencies) {
      upstream.put(each.requireSpec().heldId(), Upstream.of(each));
    }
    return inGraph(roots.iterator().next(), proposal, heldId)
        .thenApply(
            linked ->
                linked.rejection() == null
                    ? new Linked(linked.rootSession(), null, upstream)
                    : linked);
  }

  private CompletionStage<Linked> inGraph(String root, Proposal proposal, String heldId) {
    CompletionStage<SessionEntity.LinkReply> asked =
        sharding
            .entityRefFor(SessionEntity.TYPE_KEY, root)
            .ask(
                replyTo ->
                    new SessionEntity.Link(
                        heldId, proposal.dependsOn(), proposal.parentHeldId(), replyTo),
                askTimeout);
    return asked.thenCompose(
        reply ->
            switch (reply) {
              case SessionEntity.Linked linked -> announce(root, proposal.parentHeldId(), heldId);
              case SessionEntity.RefusedCycle cycle ->
                  refused(
                      root,
                      Problem.DEPENDENCY_CYCLE,
                      "the call would wait for itself through " + String.join(" > ", cycle.path()));
              case SessionEntity.RefusedDepth depth ->
                  refused(
                      root,
                      Problem.DEPENDENCY_DEPTH,
                      "the chain of calls that wait for each other would have "
                          + depth.levels()
                          + " levels, more than 16");
              case SessionEntity.RefusedBound bound ->
                  refused(
                      root,
                      Problem.TOO_MANY_CALLS,
                      "the session has as many linked calls as are allowed");
            });
  }

  private CompletionStage<Linked> announce(String root, @Nullable String parentId, String heldId) {
    if (parentId == null) {
      return CompletableFuture.completedFuture(new Linked(root, null));
    }
    return calls
        .execute(parentId, new HeldCallCommand.AnnounceChild(heldId))
        .thenApply(
            reply ->
                new Linked(
                    root,
                    reply.answer() instanceof Answer.Refused refused ? refused.rejection() : null));
  }

  private static CompletionStage<Linked> refused(String root, Problem problem, String detail) {
    return CompletableFuture.completedFuture(new Linked(root, Rejection.of(problem, detail)));
  }
}
