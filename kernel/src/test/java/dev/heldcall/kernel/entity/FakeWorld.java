package dev.heldcall.kernel.entity;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.execute.DispatchOrder;
import dev.heldcall.kernel.execute.ReadBackActor;
import dev.heldcall.kernel.execute.ToolPort;
import dev.heldcall.kernel.lease.LeaseRules;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.route.RouteKey;
import dev.heldcall.kernel.route.RouteRecord;
import dev.heldcall.kernel.route.RouteStore;
import dev.heldcall.kernel.route.WitnessDesk;
import dev.heldcall.kernel.route.WitnessProviders;
import dev.heldcall.kernel.route.WitnessRouteActor;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** All that a held call is lent by its node, in the hands of the test. */
final class FakeWorld {

  /** After how long without work a call leaves memory. */
  static final Duration IDLE = Duration.ofMinutes(2);

  /** The pauses of read-backs. */
  static final ReadBackActor.Schedule READ_BACKS =
      new ReadBackActor.Schedule(
          Duration.ofMillis(500), Duration.ofSeconds(5), Duration.ofSeconds(30));

  final SetClock clock = new SetClock();
  final Policies policies;
  final Tools tools = new Tools();
  final Mailbox mailbox = new Mailbox();

  /** The classes whose routes were opened, by any incarnation. */
  final BlockingQueue<String> published = new LinkedBlockingQueue<>();

  /** The classes whose providers were asked. */
  final BlockingQueue<String> asked = new LinkedBlockingQueue<>();

  private final Duration idle;
  private final AtomicInteger deaths = new AtomicInteger();

  FakeWorld(PolicyLayers layers, Duration idle) {
    this.idle = idle;
    policies = new Policies(layers);
  }

  /** Whoever next asks witnesses, or offers to the mailbox, dies of it. */
  void nextDies() {
    deaths.incrementAndGet();
  }

  boolean nobodyDiesAnyMore() {
    return deaths.get() == 0;
  }

  private void mayDie() {
    if (deaths.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new AssertionError("died");
    }
  }

  HeldCallRuntime runtime() {
    return new HeldCallRuntime(
        clock,
        policies,
        LeaseRules.Terms.DEFAULT,
        name -> Optional.ofNullable(CoreFixtures.TOOLS.get(name)),
        tools,
        (lease, generation) -> "permit",
        mailbox,
        witnesses,
        new WitnessRouteActor.Tools(
            new Routes(), new NobodyToAsk(), clock, LeaseRules.Terms.DEFAULT.settle(), null),
        200,
        idle,
        READ_BACKS);
  }

  private final WitnessProviders witnesses =
      new WitnessProviders(List.of(provider("human"), provider("ci"), provider("fraud-check")));

  /** A provider named after its class, whose request is out at once and stays so. */
  private WitnessProviders.Provider provider(String witnessClass) {
    Principal identity =
        new Principal(
            "provider-" + witnessClass,
            CoreFixtures.AGENT.org(),
            CoreFixtures.AGENT.project(),
            Set.of(Role.WITNESS),
            new TreeSet<>(Set.of(witnessClass)),
            new TreeSet<>(),
            null,
            null);
    ProviderContract contract =
        new ProviderContract(
            witnessClass,
            "silent",
            witnessClass,
            identity,
            0,
            Duration.ofSeconds(5),
            null,
            true,
            ProviderContract.OnNestedRefused.DENY,
            Disclosure.FULL,
            Duration.ofHours(1),
            1024);
    return new WitnessProviders.Provider(
        contract,
        new WitnessProvider() {
          @Override
          public CompletableFuture<WitnessAnswer> ask(WitnessRequest request) {
            asked.add(request.witnessClass());
            return CompletableFuture.completedFuture(new WitnessAnswer.Waiting("out", null, null));
          }

          @Override
          public void close() {}
        });
  }

  /** Routes in memory; the opening of one is told, and may be the death of who opens it. */
  private final class Routes implements RouteStore {
    private final Map<RouteKey, RouteRecord> routes = new ConcurrentHashMap<>();

    @Override
    public CompletableFuture<RouteRecord> open(RouteRecord ifAbsent) {
      mayDie();
      published.add(ifAbsent.key().provider());
      return CompletableFuture.completedFuture(
          routes.computeIfAbsent(ifAbsent.key(), key -> ifAbsent));
    }

    @Override
    public CompletableFuture<Optional<RouteRecord>> save(RouteRecord route) {
      routes.put(route.key(), route);
      return CompletableFuture.completedFuture(Optional.of(route));
    }
  }

  /** For providers that ask nothing of the kernel. */
  private static final class NobodyToAsk implements WitnessDesk {
    private static final String NONE_ASKS = "the providers here ask nothing of the kernel";

    @Override
    public CompletableFuture<IncomingWitness.VoteOutcome> attest(
        Principal witness, String heldId, Attestation attestation) {
      throw new UnsupportedOperationException(NONE_ASKS);
    }

    @Override
    public CompletableFuture<Proposed> propose(
        Principal proposer,
        HeldCallFacts parent,
        String requestId,
        String callId,
        String tool,
        JsonNode args) {
      throw new UnsupportedOperationException(NONE_ASKS);
    }

    @Override
    public CompletableFuture<Void> cancel(Principal proposer, String heldId, String reason) {
      throw new UnsupportedOperationException(NONE_ASKS);
    }

    @Override
    public CompletableFuture<HeldCallFacts> facts(String heldId) {
      throw new UnsupportedOperationException(NONE_ASKS);
    }
  }

  /** A clock that stands until it is set. */
  static final class SetClock extends Clock {
    private volatile Instant now = CoreFixtures.START;

    void advance(Duration by) {
      now = now.plus(by);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  /** A policy that can be changed, be out of reach, or be long in coming. */
  static final class Policies implements HeldCallRuntime.Policies {
    private volatile PolicyLayers layers;
    private final AtomicLong epoch = new AtomicLong(1);
    private volatile boolean reachable = true;
    private volatile boolean slow;
    private final AtomicInteger failures = new AtomicInteger();
    private final BlockingQueue<CompletableFuture<PolicyInForce>> pending =
        new LinkedBlockingQueue<>();

    Policies(PolicyLayers layers) {
      this.layers = layers;
    }

    void adopt(PolicyLayers other) {
      layers = other;
      epoch.incrementAndGet();
    }

    void reachable(boolean is) {
      reachable = is;
    }

    /** How many reads have failed. */
    int failures() {
      return failures.get();
    }

    /** Whether reads come back only when the test lets them. */
    void slow(boolean is) {
      slow = is;
    }

    /** Waits until somebody reads. */
    CompletableFuture<PolicyInForce> asked() {
      return EntityBench.next(pending);
    }

    /** Lets the read come back with the policy as it stands. */
    void comes(CompletableFuture<PolicyInForce> read) {
      read.complete(CoreFixtures.inForce(layers, epoch.get()));
    }

    /** Waits until somebody reads, and lets the read come back. */
    void comes() {
      comes(asked());
    }

    @Override
    public PolicyInForce lastKnown(String org) {
      PolicyInForce now = CoreFixtures.inForce(layers, epoch.get());
      return new PolicyInForce(
          now.layers(),
          now.epoch(),
          false,
          true,
          now.capabilitiesNow(),
          now.roster(),
          KeyStandings.ALL_STAND);
    }

    @Override
    public CompletionStage<PolicyInForce> fresh(String org) {
      if (!reachable) {
        failures.incrementAndGet();
        return CompletableFuture.failedFuture(new IllegalStateException("no database"));
      }
      if (slow) {
        CompletableFuture<PolicyInForce> later = new CompletableFuture<>();
        pending.add(later);
        return later;
      }
      return CompletableFuture.completedFuture(CoreFixtures.inForce(layers, epoch.get()));
    }
  }

  /** Tools that answer when the test says so. */
  static final class Tools implements ToolPort {

    /** A dispatch that the tool has and did not answer. */
    record Dispatch(DispatchOrder order, CompletableFuture<DispatchReport> answer) {}

    /** A question that the tool has and did not answer. */
    record Question(DispatchOrder order, CompletableFuture<ReadBackReport> answer) {}

    final AtomicInteger dispatches = new AtomicInteger();
    final BlockingQueue<Dispatch> dispatched = new LinkedBlockingQueue<>();
    final BlockingQueue<Question> questions = new LinkedBlockingQueue<>();
    private volatile boolean broken;

    /** From now on whoever sends fails. */
    void broken() {
      broken = true;
    }

    @Override
    public CompletionStage<DispatchReport> dispatch(DispatchOrder order) {
      dispatches.incrementAndGet();
      if (broken) {
        throw new IllegalStateException("broken");
      }
      Dispatch one = new Dispatch(order, new CompletableFuture<>());
      dispatched.add(one);
      return one.answer();
    }

    @Override
    public CompletionStage<ReadBackReport> readBack(DispatchOrder order) {
      Question one = new Question(order, new CompletableFuture<>());
      questions.add(one);
      return one.answer();
    }
  }

  /** A read side that takes conclusions at once, or when the test says so. */
  final class Mailbox implements HeldCallRuntime.ReadSide {
    final BlockingQueue<HeldCallFacts> offers = new LinkedBlockingQueue<>();
    final BlockingQueue<HeldCallFacts> acknowledged = new LinkedBlockingQueue<>();

    /** The sequence number up to which lists were last told of the call. */
    private final AtomicLong listed = new AtomicLong();

    private volatile CompletableFuture<Boolean> open = CompletableFuture.completedFuture(true);

    void shut() {
      open = new CompletableFuture<>();
    }

    void open() {
      open.complete(true);
    }

    long listed() {
      return listed.get();
    }

    @Override
    public void changed(HeldCallFacts facts, long sequence) {
      listed.set(sequence);
    }

    @Override
    public CompletionStage<?> write(HeldCallFacts facts, long sequence) {
      if (facts.delivery() == Delivery.ACKNOWLEDGED) {
        acknowledged.add(facts);
        return CompletableFuture.completedFuture(true);
      }
      mayDie();
      offers.add(facts);
      return open;
    }
  }
}
