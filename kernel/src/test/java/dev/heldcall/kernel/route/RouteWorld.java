package dev.heldcall.kernel.route;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.IncomingWitness.Disposition;
import dev.heldcall.plugin.api.IncomingWitness.VoteOutcome;
import dev.heldcall.plugin.api.NestedOutcome;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** All that a route works with, in the hands of the test. */
final class RouteWorld {

  static final Duration SETTLE = Duration.ofSeconds(10);

  final Routes store = new Routes();
  final Desk desk = new Desk();
  final Script provider = new Script();
  final SetClock clock = new SetClock();

  WitnessRouteActor.Tools tools() {
    return new WitnessRouteActor.Tools(store, desk, clock, SETTLE, "https://heldcall.example");
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

  /** Routes in memory, written over the version that was read only. */
  final class Routes implements RouteStore {
    final Map<RouteKey, RouteRecord> all = new ConcurrentHashMap<>();
    private final AtomicInteger failures = new AtomicInteger();

    /** The next so many reads and writes fail. */
    void fails(int times) {
      failures.set(times);
    }

    /** Somebody else writes, whatever the version is. */
    void overwrite(RouteKey key, Function<RouteRecord, RouteRecord> change) {
      all.compute(key, (same, known) -> next(change.apply(Objects.requireNonNull(known))));
    }

    private RouteRecord next(RouteRecord of) {
      return new RouteRecord(
          of.key(),
          of.org(),
          of.tool(),
          of.contractDigest(),
          of.state(),
          of.round(),
          of.attempts(),
          of.reference(),
          of.askedAt(),
          of.nextAt(),
          of.reminded(),
          of.note(),
          clock.instant(),
          of.version() + 1);
    }

    @Override
    public CompletionStage<RouteRecord> open(RouteRecord ifAbsent) {
      return answer(() -> all.computeIfAbsent(ifAbsent.key(), key -> ifAbsent));
    }

    @Override
    public CompletionStage<Optional<RouteRecord>> save(RouteRecord route) {
      return answer(
          () -> {
            RouteRecord known = Objects.requireNonNull(all.get(route.key()));
            RouteRecord written = next(route);
            return known.version() == route.version() && all.replace(route.key(), known, written)
                ? Optional.of(written)
                : Optional.empty();
          });
    }

    private <T> CompletionStage<T> answer(java.util.function.Supplier<T> of) {
      return failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0
          ? CompletableFuture.failedFuture(new IllegalStateException("no database"))
          : CompletableFuture.completedFuture(of.get());
    }
  }

  /** The kernel: takes everything in unless it is told else. */
  static final class Desk implements WitnessDesk {

    /** A call that somebody wants to make. */
    record Wish(String requestId, String callId, CompletableFuture<Proposed> answer) {}

    final BlockingQueue<Attestation> attested = new LinkedBlockingQueue<>();
    final BlockingQueue<Wish> wishes = new LinkedBlockingQueue<>();
    final BlockingQueue<String> cancelled = new LinkedBlockingQueue<>();
    final Map<String, HeldCallFacts> calls = new ConcurrentHashMap<>();
    final Queue<VoteOutcome> outcomes = new ConcurrentLinkedQueue<>();

    void says(Disposition disposition, String reason) {
      outcomes.add(new VoteOutcome(disposition, reason));
    }

    @Override
    public CompletionStage<VoteOutcome> attest(
        Principal witness, String heldId, Attestation attestation) {
      attested.add(attestation);
      VoteOutcome outcome = outcomes.poll();
      return CompletableFuture.completedFuture(
          outcome == null ? new VoteOutcome(Disposition.ACCEPTED, "") : outcome);
    }

    @Override
    public CompletionStage<Proposed> propose(
        Principal proposer,
        HeldCallFacts parent,
        String requestId,
        String callId,
        String tool,
        JsonNode args) {
      Wish wish = new Wish(requestId, callId, new CompletableFuture<>());
      wishes.add(wish);
      return wish.answer();
    }

    @Override
    public CompletionStage<Void> cancel(Principal proposer, String heldId, String reason) {
      cancelled.add(heldId + ": " + reason);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<HeldCallFacts> facts(String heldId) {
      return CompletableFuture.completedFuture(Objects.requireNonNull(calls.get(heldId)));
    }
  }

  /** A provider that answers when and what the test says. */
  static final class Script implements WitnessProvider {

    /** Something that it was asked. */
    record Asked(String what, String requestId, CompletableFuture<WitnessAnswer> answer) {
      void says(WitnessAnswer what) {
        answer.complete(what);
      }
    }

    final BlockingQueue<Asked> asked = new LinkedBlockingQueue<>();
    final BlockingQueue<WitnessWithdrawal> withdrawn = new LinkedBlockingQueue<>();
    final BlockingQueue<String> reminded = new LinkedBlockingQueue<>();
    final Queue<Throwable> throwing = new ArrayDeque<>();
    final AtomicInteger deafToWithdrawals = new AtomicInteger();
    volatile List<Duration> remindBefore = List.of();

    /** Waits until it is asked something. */
    Asked next() {
      try {
        return Objects.requireNonNull(asked.poll(30, TimeUnit.SECONDS), "nobody asked");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    private CompletionStage<WitnessAnswer> take(String what, WitnessRequest request) {
      Asked one = new Asked(what, request.requestId(), new CompletableFuture<>());
      asked.add(one);
      Throwable thrown = throwing.poll();
      if (thrown instanceof RuntimeException e) {
        throw e;
      }
      if (thrown instanceof Error e) {
        throw e;
      }
      return one.answer();
    }

    @Override
    public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
      return take("ask", request);
    }

    @Override
    public CompletionStage<WitnessAnswer> look(WitnessRequest request, String reference) {
      return take("look " + reference, request);
    }

    @Override
    public CompletionStage<WitnessAnswer> recover(WitnessRequest request) {
      return take("recover", request);
    }

    @Override
    public CompletionStage<WitnessAnswer> nested(WitnessRequest request, NestedOutcome outcome) {
      return take("nested " + outcome.heldId(), request);
    }

    @Override
    public List<Duration> remindBefore() {
      return remindBefore;
    }

    @Override
    public CompletionStage<Void> remind(WitnessRequest request, String reference) {
      reminded.add(reference);
      return CompletableFuture.failedFuture(new IllegalStateException("nobody there"));
    }

    @Override
    public CompletionStage<Void> withdraw(WitnessWithdrawal withdrawal) {
      if (deafToWithdrawals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        return CompletableFuture.failedFuture(new IllegalStateException("down"));
      }
      withdrawn.add(withdrawal);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }
}
