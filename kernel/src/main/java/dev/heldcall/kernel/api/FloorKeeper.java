package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.policybook.PolicyBookEntity;
import dev.heldcall.plugin.api.Digest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.typed.Cluster;
import org.jspecify.annotations.Nullable;

/**
 * Holds this node's configured floor and documents against what the cluster has adopted (rule 8).
 * The node that founds the cluster adopts its own at its start as a new epoch; one that joins and
 * differs takes no leases, also after the others are gone, until it is started again.
 */
final class FloorKeeper {

  private static final Duration PACE = Duration.ofSeconds(5);
  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration ASK = Duration.ofSeconds(5);
  private static final String OK = "ok";

  sealed interface Message {}

  private record Look() implements Message {}

  private record Adopted(PolicyBookEntity.FloorState state) implements Message {}

  private record Seeded() implements Message {}

  private record Failed(Throwable why) implements Message {}

  private final ActorContext<Message> context;
  private final TimerScheduler<Message> timers;
  private final Digest floor;
  private final Map<String, JsonNode> documents;
  private final AtomicReference<String> status;
  private @Nullable Boolean foundsCluster;
  private boolean seeded;

  private FloorKeeper(
      ActorContext<Message> context,
      TimerScheduler<Message> timers,
      Digest floor,
      Map<String, JsonNode> documents,
      AtomicReference<String> status) {
    this.context = context;
    this.timers = timers;
    this.floor = floor;
    this.documents = documents;
    this.status = status;
  }

  /**
   * Keeps {@code status} at {@code ok} or at why the node takes no leases.
   *
   * @param documents what configuration has for organizations
   */
  static Behavior<Message> create(
      Digest floor, Map<String, JsonNode> documents, AtomicReference<String> status) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  context.getSelf().tell(new Look());
                  return new FloorKeeper(context, timers, floor, documents, status).keeping();
                }));
  }

  private Behavior<Message> keeping() {
    return Behaviors.receive(Message.class)
        .onMessage(Look.class, look -> onLook())
        .onMessage(Adopted.class, adopted -> onAdopted(adopted.state()))
        .onMessage(Seeded.class, done -> onSeeded())
        .onMessage(Failed.class, failed -> onFailed(failed.why()))
        .build();
  }

  private Behavior<Message> onLook() {
    Cluster cluster = Cluster.get(context.getSystem());
    if (!cluster.selfMember().status().equals(MemberStatus.up())) {
      timers.startSingleTimer(new Look(), SOON);
      return Behaviors.same();
    }
    if (foundsCluster == null) {
      foundsCluster = isOldest(cluster);
    }
    context.pipeToSelf(
        adopt(foundsCluster && !seeded),
        (state, failure) -> failure == null ? new Adopted(state) : new Failed(failure));
    return Behaviors.same();
  }

  /** Whether this node was there before all others: then the cluster is the one it founded. */
  private static boolean isOldest(Cluster cluster) {
    return StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
        .filter(each -> !each.uniqueAddress().equals(cluster.selfMember().uniqueAddress()))
        .noneMatch(each -> each.isOlderThan(cluster.selfMember()));
  }

  private CompletionStage<PolicyBookEntity.FloorState> adopt(boolean alone) {
    return ClusterSharding.get(context.getSystem())
        .entityRefFor(PolicyBookEntity.TYPE_KEY, PolicyBookEntity.FLOOR)
        .ask(replyTo -> new PolicyBookEntity.AdoptFloor(floor, alone, replyTo), ASK);
  }

  private Behavior<Message> onAdopted(PolicyBookEntity.FloorState state) {
    if (!state.adopted().equals(floor)) {
      String why =
          "this node's floor and tools ("
              + floor
              + ") are not those of the cluster ("
              + state.adopted()
              + "): it takes no leases";
      if (!why.equals(status.getAndSet(why))) {
        context.getLog().error("{}", why);
      }
      timers.startSingleTimer(new Look(), PACE);
      return Behaviors.same();
    }
    if (seeded || !Boolean.TRUE.equals(foundsCluster)) {
      return onSeeded();
    }
    context.pipeToSelf(
        seedAll(), (done, failure) -> failure == null ? new Seeded() : new Failed(failure));
    return Behaviors.same();
  }

  private CompletionStage<?> seedAll() {
    CompletionStage<?> all = java.util.concurrent.CompletableFuture.completedFuture(null);
    for (Map.Entry<String, JsonNode> each : documents.entrySet()) {
      all = all.thenCompose(done -> seed(each.getKey(), each.getValue()));
    }
    return all;
  }

  private CompletionStage<PolicyBookEntity.Seeded> seed(String org, JsonNode document) {
    return ClusterSharding.get(context.getSystem())
        .entityRefFor(PolicyBookEntity.TYPE_KEY, PolicyBookEntity.nameOf(org))
        .ask(
            replyTo ->
                new PolicyBookEntity.SeedDocument(document, Digests.ofCanonical(document), replyTo),
            ASK);
  }

  private Behavior<Message> onSeeded() {
    seeded = true;
    status.set(OK);
    timers.startSingleTimer(new Look(), PACE);
    return Behaviors.same();
  }

  private Behavior<Message> onFailed(Throwable why) {
    context.getLog().warn("the policy books do not answer yet: {}", String.valueOf(why));
    timers.startSingleTimer(new Look(), SOON.multipliedBy(5));
    return Behaviors.same();
  }
}
