package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.config.HeldcallSettings;
import dev.heldcall.kernel.execute.HttpToolPort;
import dev.heldcall.kernel.execute.KernelToolPort;
import dev.heldcall.kernel.execute.KernelToolPort.PolicyChange;
import dev.heldcall.kernel.execute.ToolPort;
import dev.heldcall.kernel.execute.ToolPorts;
import dev.heldcall.kernel.policybook.PolicyBookEntity;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.net.ssl.SSLContext;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef;

/** The ways to tools as this node has them. */
final class NodeTools {

  private static final Duration ASK = Duration.ofSeconds(5);

  private final ActorSystem<?> system;
  private final NodePolicies policies;

  private NodeTools(ActorSystem<?> system, NodePolicies policies) {
    this.system = system;
    this.policies = policies;
  }

  static ToolPort port(
      ActorSystem<?> system, HeldcallSettings settings, NodePolicies policies, Clock clock) {
    NodeTools node = new NodeTools(system, policies);
    return new ToolPorts(
        HttpToolPort.of(system, tls(), settings.effect(), clock),
        new KernelToolPort(
            node::change, node::lookUp, settings.effect().dispatchWindow(), System::nanoTime));
  }

  private static SSLContext tls() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the platform has no default TLS context", e);
    }
  }

  private EntityRef<PolicyBookEntity.Command> book(String org) {
    return ClusterSharding.get(system)
        .entityRefFor(PolicyBookEntity.TYPE_KEY, PolicyBookEntity.nameOf(org));
  }

  /**
   * The epoch that the proposer saw is the floor's revision plus the document's. The floor's is
   * read from the database now; the book itself refuses if its own has moved on.
   */
  private CompletionStage<PolicyChange> change(
      String org, String key, long baseEpoch, JsonNode document, String heldId) {
    return policies
        .snapshot(org)
        .thenCompose(
            now -> {
              long expected = baseEpoch - now.floorRevision();
              CompletionStage<PolicyBookEntity.ChangeReply> asked =
                  book(org)
                      .ask(
                          replyTo ->
                              new PolicyBookEntity.ChangeDocument(
                                  key, expected, document, heldId, replyTo),
                          ASK);
              return asked.thenCompose(reply -> said(reply, now.floorRevision()));
            });
  }

  private static CompletionStage<PolicyChange> said(
      PolicyBookEntity.ChangeReply reply, long floorRevision) {
    return switch (reply) {
      case PolicyBookEntity.Changed changed ->
          CompletableFuture.completedFuture(new PolicyChange.Applied(changed.revision()));
      case PolicyBookEntity.StaleBase stale ->
          CompletableFuture.completedFuture(
              new PolicyChange.StaleBase(floorRevision + stale.currentRevision()));
      case PolicyBookEntity.Unusable unusable ->
          CompletableFuture.completedFuture(new PolicyChange.Unusable(unusable.problem()));
    };
  }

  private CompletionStage<OptionalLong> lookUp(String org, String key) {
    CompletionStage<PolicyBookEntity.LookUpReply> asked =
        book(org).ask(replyTo -> new PolicyBookEntity.LookUp(key, replyTo), ASK);
    return asked.thenApply(
        reply ->
            switch (reply) {
              case PolicyBookEntity.Applied applied -> OptionalLong.of(applied.revision());
              case PolicyBookEntity.NotApplied notApplied -> OptionalLong.empty();
            });
  }
}
