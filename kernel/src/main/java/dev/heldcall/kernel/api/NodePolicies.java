package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.entity.HeldCallRuntime;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.policybook.PolicyCache;
import dev.heldcall.kernel.policybook.PolicyReader;
import dev.heldcall.kernel.policybook.PolicySnapshot;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.AskPattern;

/** This node's way to policy: the reader for what is in force, the cache for a first look. */
final class NodePolicies implements HeldCallRuntime.Policies {

  private static final Duration ASK = Duration.ofSeconds(6);

  private final ActorSystem<?> system;
  private final ActorRef<PolicyReader.Command> reader;
  private final PolicyCache cache;
  private final PolicyLayers base;
  private final PrincipalRoster roster;

  NodePolicies(
      ActorSystem<?> system,
      ActorRef<PolicyReader.Command> reader,
      PolicyCache cache,
      PolicyLayers base,
      PrincipalRoster roster) {
    this.system = system;
    this.reader = reader;
    this.cache = cache;
    this.base = base;
    this.roster = roster;
  }

  @Override
  public PolicyInForce lastKnown(String org) {
    return cache
        .last(org)
        .map(snapshot -> PolicyRequests.inForce(snapshot, false, roster))
        .orElseGet(
            () ->
                new PolicyInForce(
                    base, -1, false, false, roster::capabilities, roster.of(org), roster.keys()));
  }

  @Override
  public CompletionStage<PolicyInForce> fresh(String org) {
    return snapshot(org).thenApply(snapshot -> PolicyRequests.inForce(snapshot, true, roster));
  }

  /** What is in force by a read that begins now. */
  CompletionStage<PolicySnapshot> snapshot(String org) {
    CompletionStage<PolicyReader.PolicyRead> read =
        AskPattern.ask(
            reader, replyTo -> new PolicyReader.Read(org, replyTo), ASK, system.scheduler());
    return read.thenCompose(
        answer -> {
          PolicySnapshot snapshot = answer.snapshot();
          if (snapshot != null) {
            return CompletableFuture.completedFuture(snapshot);
          }
          String why = String.valueOf(answer.failure());
          return CompletableFuture.failedFuture(
              answer.mayPass()
                  ? new PolicyUnreachableException(why)
                  : new IllegalStateException(why));
        });
  }
}
