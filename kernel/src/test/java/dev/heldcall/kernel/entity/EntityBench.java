package dev.heldcall.kernel.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.Attesting;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.codec.KernelSerialization;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.kernel.entity.HeldCallProtocol.Execute;
import dev.heldcall.kernel.entity.HeldCallProtocol.Message;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Principal;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.persistence.testkit.PersistenceTestKitPlugin;
import org.apache.pekko.persistence.testkit.javadsl.PersistenceTestKit;
import org.apache.pekko.persistence.typed.PersistenceId;

/**
 * Held calls as actors without a cluster: a journal in memory whose events go through the kernel's
 * own serializer, a scheduler that stands until time passes by hand, and a {@link FakeWorld}.
 */
final class EntityBench implements AutoCloseable {

  private static final AtomicInteger CALLS = new AtomicInteger();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final Writes writes = new Writes();
  private final ActorTestKit kit;
  private final ManualTime time;
  private final List<ActorRef<Message>> started = new CopyOnWriteArrayList<>();

  EntityBench() {
    kit =
        ActorTestKit.create(
            KernelSerialization.under(
                ManualTime.config().withFallback(PersistenceTestKitPlugin.config())));
    time = ManualTime.get(kit.system());
    PersistenceTestKit.create(kit.system()).withPolicy(writes);
  }

  @Override
  public void close() {
    kit.shutdownTestKit();
  }

  /** Ends the calls of a test, so that the next one has time to itself. */
  void stopCalls() {
    started.forEach(kit::stop);
    started.clear();
  }

  /** Lets time pass second by second until it is so. */
  void timePassesUntil(Callable<Boolean> so) {
    timePassesUntil(Duration.ofSeconds(1), so);
  }

  /** Lets time pass in such steps until it is so. */
  void timePassesUntil(Duration step, Callable<Boolean> so) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              timePasses(step);
              return so.call();
            });
  }

  /** Lets the scheduler's time pass; the calls' clock stands. */
  void timePasses(Duration by) {
    time.timePasses(by);
  }

  /** Waits for the next of them. */
  static <T> T next(BlockingQueue<T> queue) {
    try {
      return Objects.requireNonNull(
          queue.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS), "nothing came");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A call of the tool under the policy, its actor started, not proposed yet. */
  Bench call(String tool, PolicyLayers layers) {
    return call(tool, layers, FakeWorld.IDLE);
  }

  /** The same, with another time after which an idle call leaves memory. */
  Bench call(String tool, PolicyLayers layers, Duration idle) {
    return new Bench(tool, new FakeWorld(layers, idle));
  }

  /** One call and its world. */
  final class Bench {

    final FakeWorld world;
    final String heldId;
    final TestProbe<ClusterSharding.ShardCommand> shard =
        kit.createTestProbe(ClusterSharding.ShardCommand.class);
    private final TestProbe<CallReply> replies = kit.createTestProbe(CallReply.class);
    private final Proposal proposal;
    private ActorRef<Message> entity;
    private int attestations;

    private Bench(String tool, FakeWorld world) {
      this.world = world;
      proposal =
          new Proposal(
              "s-1",
              "t-1",
              "c-" + CALLS.incrementAndGet(),
              Boundary.TOOL,
              tool,
              CoreFixtures.json("{'amount': 125000}"),
              null,
              List.of(),
              null,
              Preferences.NONE);
      heldId = proposal.identity(CoreFixtures.AGENT).heldId();
      entity = start();
    }

    private ActorRef<Message> start() {
      ActorRef<Message> one =
          kit.spawn(HeldCallEntity.create(heldId, world.runtime(), shard.getRef()));
      started.add(one);
      return one;
    }

    /** The process dies and another one starts the call again. */
    void restart() {
      stop();
      startAgain();
    }

    void startAgain() {
      entity = start();
    }

    /** Whether it has asked its shard to be let go. */
    boolean asksToLeave() {
      try {
        shard.receiveMessage(Duration.ofMillis(50));
        return true;
      } catch (AssertionError e) {
        return false;
      }
    }

    void stop() {
      started.remove(entity);
      kit.stop(entity, PATIENCE);
    }

    String persistenceId() {
      return PersistenceId.of(HeldCallEntity.KEY.name(), heldId).id();
    }

    List<List<String>> written() {
      return writes.of(persistenceId());
    }

    /** Every kind of event in the journal, in order. */
    List<String> journal() {
      return written().stream().flatMap(List::stream).toList();
    }

    void awaitJournal(String kind) {
      await().atMost(PATIENCE).until(() -> journal().contains(kind));
    }

    void tell(Message message) {
      entity.tell(message);
    }

    void tell(HeldCallCommand command) {
      tell(command, 0);
    }

    void tell(HeldCallCommand command, long waitMillis) {
      entity.tell(new Execute(command, waitMillis, replies.getRef()));
    }

    void read(long since, long waitMillis) {
      entity.tell(new HeldCallProtocol.Read(since, waitMillis, replies.getRef()));
    }

    CallReply reply() {
      return replies.receiveMessage(PATIENCE);
    }

    void noReply() {
      replies.expectNoMessage(Duration.ZERO);
    }

    CallReply ask(HeldCallCommand command) {
      tell(command);
      return reply();
    }

    /** The facts as they stand; everything told before has been handled by then. */
    HeldCallFacts facts() {
      TestProbe<CallReply> own = kit.createTestProbe(CallReply.class);
      entity.tell(new HeldCallProtocol.Read(-1, 0, own.getRef()));
      return own.receiveMessage(PATIENCE).facts();
    }

    /** Whether the actor is there and not waiting to be restarted. */
    boolean answers() {
      TestProbe<CallReply> own = kit.createTestProbe(CallReply.class);
      entity.tell(new HeldCallProtocol.Read(-1, 0, own.getRef()));
      try {
        own.receiveMessage(Duration.ofMillis(200));
        return true;
      } catch (AssertionError e) {
        return false;
      }
    }

    /** Waits until the facts are such. */
    HeldCallFacts awaitFacts(Predicate<HeldCallFacts> such) {
      return await().atMost(PATIENCE).until(this::facts, such);
    }

    HeldCallCommand.ProposeCall proposal() {
      return LiveCall.propose(proposal);
    }

    /** Proposes, and holds that the call is held. */
    Bench proposed() {
      assertThat(ask(proposal()).answer()).isEqualTo(new Answer.Stands());
      return this;
    }

    /** An approval with a new id, bound to the call as it stands. */
    HeldCallCommand.Attest approval(Principal witness) {
      attestations++;
      return Attesting.approval("a-" + attestations, facts(), witness, world.clock.instant());
    }

    /** Proposed, approved and sent: the tool has the dispatch. */
    FakeWorld.Tools.Dispatch dispatched() {
      proposed();
      assertThat(ask(approval(CoreFixtures.ALICE)).answer()).isEqualTo(new Answer.Attested(false));
      return next(world.tools.dispatched);
    }

    DispatchReport answer() {
      return LiveCall.answer(true, "{'id': 'p-1'}");
    }

    HeldCallCommand.AcknowledgeDelivery acknowledgement() {
      return new HeldCallCommand.AcknowledgeDelivery(
          CoreFixtures.AGENT, OutcomeJson.deliveryId(facts()));
    }
  }
}
