package dev.heldcall.kernel.route;

import dev.heldcall.kernel.call.Evidence;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.DurationText;
import dev.heldcall.plugin.api.IncomingWitness.Disposition;
import dev.heldcall.plugin.api.IncomingWitness.VoteOutcome;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * Asks one provider about one generation of a call: publishes the request, looks after it, reminds,
 * and hands in what comes. The database has what was done, so that the actor may end at any moment
 * and another goes on; before a provider is asked, the wish to ask is written, and who does not
 * write it does not ask. It never decides anything: what it brings goes to the verifier like
 * everybody's.
 *
 * <p>What to do next is {@link RoutePlan}'s to say, and what an answer leads to {@link
 * RouteAnswers}'. The actor is over the usual size because everything that can be under way, and
 * what happens when it fails, should be read in one place.
 */
public final class WitnessRouteActor {

  /** What the actor takes. */
  public sealed interface Message {}

  /**
   * The call as it stands now.
   *
   * @param reload whether the database may know more than this actor: somebody poked the route
   */
  public record Stands(HeldCallFacts facts, boolean reload) implements Message {}

  /** No longer wanted: end, once nothing is under way. */
  public record Retire() implements Message {}

  private record Opened(RouteRecord route) implements Message {}

  private record Saved(Optional<RouteRecord> route, @Nullable RoutePlan then) implements Message {}

  private record Answered(WitnessAnswer answer, RoutePlan to) implements Message {}

  private record Judged(List<Attestation> given, List<VoteOutcome> outcomes) implements Message {}

  private record Proposed(WitnessDesk.Proposed call) implements Message {}

  private record HandIn(List<Attestation> given) implements Message {}

  private record Propose(WitnessAnswer.Nested nested) implements Message {}

  private record ProposeLater(WitnessAnswer.Nested nested, Throwable why) implements Message {}

  private record ToldOver(RouteRecord then, @Nullable Throwable failure) implements Message {}

  private record Failed(Throwable why) implements Message {}

  private record Due() implements Message {}

  /** How long until a database that did not answer, or a verifier, is tried again. */
  private static final Duration RETRY = Duration.ofSeconds(2);

  /** How often one that is no longer wanted tries to write down what it learned. */
  private static final int MAX_FAILURES = 15;

  /** How often an old request is taken back before a new one goes out whatever becomes of it. */
  private static final int MAX_WITHDRAWALS = 4;

  /**
   * What a route works with.
   *
   * @param settle over a provider's timeout, until a request that is nowhere to be found counts as
   *     one that never arrived
   * @param publicUrl where people reach the cluster, or null
   */
  public record Tools(
      RouteStore store,
      WitnessDesk desk,
      Clock clock,
      Duration settle,
      @Nullable String publicUrl) {}

  private final ActorContext<Message> context;
  private final TimerScheduler<Message> timers;
  private final Tools tools;
  private final ProviderContract contract;
  private final WitnessProvider provider;
  private final RouteKey key;
  private final ActorRef<RouteReport> reports;
  private HeldCallFacts facts;
  private @Nullable RouteRecord route;
  private boolean busy;
  private boolean stale;
  private boolean retired;

  /** What was learned and is not written yet, or null. */
  private @Nullable RouteRecord learned;

  private int failures;
  private int withdrawals;

  private WitnessRouteActor(
      ActorContext<Message> context,
      TimerScheduler<Message> timers,
      Tools tools,
      WitnessProviders.Provider provider,
      HeldCallFacts facts,
      ActorRef<RouteReport> reports) {
    this.context = context;
    this.timers = timers;
    this.tools = tools;
    this.contract = provider.contract();
    this.provider = provider.asked();
    this.facts = facts;
    this.reports = reports;
    this.key =
        new RouteKey(
            facts.requireSpec().heldId(), facts.requireGeneration().number(), contract.id());
  }

  /**
   * A route to a provider.
   *
   * @param facts the call as it stands
   * @param reports is told how the route stands
   */
  public static Behavior<Message> create(
      Tools tools,
      WitnessProviders.Provider provider,
      HeldCallFacts facts,
      ActorRef<RouteReport> reports) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> {
                  WitnessRouteActor actor =
                      new WitnessRouteActor(context, timers, tools, provider, facts, reports);
                  actor.load();
                  return actor.behavior();
                }));
  }

  private Behavior<Message> behavior() {
    return Behaviors.receive(Message.class)
        .onMessage(Stands.class, this::onStands)
        .onMessage(Retire.class, this::onRetire)
        .onMessage(Opened.class, opened -> idle(opened.route()))
        .onMessage(Saved.class, this::onSaved)
        .onMessage(Answered.class, this::onAnswered)
        .onMessage(Judged.class, this::onJudged)
        .onMessage(Proposed.class, this::onProposed)
        .onMessage(HandIn.class, handIn -> handIn(handIn.given()))
        .onMessage(Propose.class, propose -> propose(propose.nested()))
        .onMessage(ProposeLater.class, this::onProposeLater)
        .onMessage(ToldOver.class, this::onToldOver)
        .onMessage(Failed.class, this::onFailed)
        .onMessage(Due.class, due -> busy ? Behaviors.same() : consider())
        .build();
  }

  private Instant now() {
    return tools.clock().instant();
  }

  private Behavior<Message> onStands(Stands stands) {
    facts = stands.facts();
    retired = false;
    stale |= stands.reload();
    return busy ? Behaviors.same() : consider();
  }

  private Behavior<Message> onRetire(Retire retire) {
    retired = true;
    return busy || learned != null ? Behaviors.same() : Behaviors.stopped();
  }

  private void load() {
    Ruling ruling = facts.ruling();
    Digest contractDigest = ruling == null ? null : ruling.contractDigest();
    if (contractDigest == null) {
      return;
    }
    busy = true;
    stale = false;
    RouteRecord wanted =
        RouteRecord.wanted(
            key,
            facts.requireSpec().proposer().org(),
            facts.requireGeneration().tool(),
            contractDigest,
            now());
    context.pipeToSelf(
        tools.store().open(wanted),
        (opened, failure) -> failure == null ? new Opened(opened) : new Failed(failure));
  }

  private Behavior<Message> idle(RouteRecord known) {
    RouteRecord said = learned;
    learned = null;
    failures = 0;
    Optional<RouteRecord> missing =
        said == null ? Optional.empty() : RouteAnswers.stillTrue(said, known);
    if (missing.isPresent()) {
      save(missing.get(), null);
      return Behaviors.same();
    }
    busy = false;
    route = known;
    report();
    return retired ? Behaviors.stopped() : consider();
  }

  private void report() {
    RouteRecord known = route;
    if (known != null) {
      reports.tell(new RouteReport(key, known.state(), busy));
    }
  }

  /** Does the next step, if there is one now. */
  private Behavior<Message> consider() {
    RouteRecord known = route;
    if (known == null || stale) {
      load();
      return Behaviors.same();
    }
    Instant now = now();
    RoutePlan plan = RoutePlan.next(known, facts, contract, terms(), now);
    switch (plan) {
      case RoutePlan.Ask ask -> save(known.asking(now, busyUntil(now)), ask);
      case RoutePlan.Recover recover -> save(known.asking(now, busyUntil(now)), recover);
      case RoutePlan.Look look -> talk(look, () -> provider.look(request(known), look.reference()));
      case RoutePlan.Resolve resolve -> resolve(known, resolve);
      case RoutePlan.Remind remind -> remind(known, remind);
      case RoutePlan.Conclude conclude -> save(known.in(RouteState.ANSWERED, null, null), null);
      case RoutePlan.GiveUp giveUp -> giveUp(known, giveUp);
      case RoutePlan.Renew renew -> renew(known, renew, now);
      case RoutePlan.Rest rest -> rest(rest.until(), now);
    }
    return Behaviors.same();
  }

  private void giveUp(RouteRecord known, RoutePlan.GiveUp giveUp) {
    String child = known.state() == RouteState.NESTED ? known.reference() : null;
    RouteRecord over =
        (child == null ? known : known.under(null)).in(RouteState.UNAVAILABLE, giveUp.why(), null);
    if (child == null) {
      save(over, null);
    } else {
      takeBack(() -> cancel(child, giveUp.why()), over);
    }
  }

  /** When somebody else may take it that this ask has ended. */
  private Instant busyUntil(Instant now) {
    return now.plus(terms().over(contract));
  }

  private RoutePlan.Terms terms() {
    return new RoutePlan.Terms(provider.remindBefore(), tools.settle());
  }

  private void rest(@Nullable Instant until, Instant now) {
    if (until != null) {
      Duration pause = Duration.between(now, until);
      timers.startSingleTimer("due", new Due(), pause.isNegative() ? Duration.ZERO : pause);
    }
  }

  private WitnessRequest request(RouteRecord of) {
    return RouteRequests.of(facts, of, contract, tools.publicUrl());
  }

  private void save(RouteRecord changed, @Nullable RoutePlan then) {
    busy = true;
    report();
    learned = then == null ? changed : null;
    context.pipeToSelf(
        tools.store().save(then == null ? resting(changed) : changed),
        (saved, failure) -> failure == null ? new Saved(saved, then) : new Failed(failure));
  }

  /** With the time when there is something to do next, also for a node that has not seen it yet. */
  private RouteRecord resting(RouteRecord changed) {
    RoutePlan next = RoutePlan.next(changed, facts, contract, terms(), now());
    return next instanceof RoutePlan.Rest(Instant until)
        ? changed.in(changed.state(), changed.note(), until)
        : changed;
  }

  private Behavior<Message> onSaved(Saved saved) {
    if (saved.route().isEmpty()) {
      // Another incarnation was here, or the call is decided: what it wrote is what counts.
      busy = false;
      load();
      return Behaviors.same();
    }
    RouteRecord known = saved.route().get();
    route = known;
    learned = null;
    if (saved.then() instanceof RoutePlan.Ask ask) {
      talk(ask, () -> provider.ask(request(known)));
      return Behaviors.same();
    }
    if (saved.then() instanceof RoutePlan.Recover recover) {
      talk(recover, () -> provider.recover(request(known)));
      return Behaviors.same();
    }
    return idle(known);
  }

  /** Speaks to the provider, for no longer than its timeout. */
  private void talk(RoutePlan about, Supplier<CompletionStage<WitnessAnswer>> say) {
    busy = true;
    report();
    context.pipeToSelf(
        limited(say),
        (answer, failure) ->
            new Answered(failure == null && answer != null ? answer : unusable(failure), about));
  }

  private <T> CompletionStage<T> limited(Supplier<CompletionStage<T>> say) {
    try {
      return say.get()
          .toCompletableFuture()
          .copy()
          .orTimeout(contract.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (RuntimeException | LinkageError e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private WitnessAnswer unusable(@Nullable Throwable failure) {
    if (failure == null) {
      return new WitnessAnswer.Unavailable("the provider failed: it gave no answer", true);
    }
    Throwable why =
        failure instanceof java.util.concurrent.CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    boolean late = why instanceof TimeoutException;
    if (!late) {
      context.getLog().error("{}: witness provider {} failed", key.heldId(), contract.id(), why);
    }
    String reason =
        late
            ? "no answer within " + DurationText.of(contract.timeout())
            : "the provider failed: " + why.getClass().getSimpleName();
    return new WitnessAnswer.Unavailable(reason, true);
  }

  private Behavior<Message> onAnswered(Answered answered) {
    RouteRecord known = Objects.requireNonNull(route);
    Instant now = now();
    switch (answered.answer()) {
      case WitnessAnswer.Attested attested -> {
        return handIn(attested.attestations());
      }
      case WitnessAnswer.Waiting waiting -> save(RouteAnswers.waiting(known, waiting, now), null);
      case WitnessAnswer.Deferred deferred ->
          save(known.in(RouteState.DEFERRED, deferred.reason(), null), null);
      case WitnessAnswer.Unavailable unavailable ->
          save(RouteAnswers.unavailable(known, unavailable, answered.to(), contract, now), null);
      case WitnessAnswer.InDoubt inDoubt ->
          save(RouteAnswers.inDoubt(known, inDoubt, answered.to()), null);
      case WitnessAnswer.Nested nested -> {
        return propose(nested);
      }
    }
    return Behaviors.same();
  }

  private Behavior<Message> handIn(List<Attestation> given) {
    busy = true;
    List<CompletableFuture<VoteOutcome>> outcomes = new ArrayList<>();
    for (Attestation each : given) {
      outcomes.add(
          tools.desk().attest(contract.identity(), key.heldId(), each).toCompletableFuture());
    }
    context.pipeToSelf(
        CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new))
            .handle((done, failure) -> outcomes.stream().map(WitnessRouteActor::outcome).toList()),
        (judged, failure) -> failure == null ? new Judged(given, judged) : new Failed(failure));
    return Behaviors.same();
  }

  private static VoteOutcome outcome(CompletableFuture<VoteOutcome> of) {
    return of.isCompletedExceptionally()
        ? new VoteOutcome(Disposition.UNAVAILABLE, "the verifier did not answer")
        : of.join();
  }

  private Behavior<Message> onJudged(Judged judged) {
    RouteRecord known = Objects.requireNonNull(route);
    List<Attestation> again = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    boolean taken = false;
    for (int i = 0; i < judged.given().size(); i++) {
      VoteOutcome outcome = judged.outcomes().get(i);
      switch (outcome.disposition()) {
        case ACCEPTED, DUPLICATE -> taken = true;
        case STALE, INVALID -> {
          if (onRecord(judged.given().get(i))) {
            taken = true;
          } else {
            refusals.add(outcome.reason());
          }
        }
        case UNAVAILABLE -> again.add(judged.given().get(i));
      }
    }
    if (!again.isEmpty()) {
      timers.startSingleTimer("hand-in", new HandIn(judged.given()), RETRY);
      return Behaviors.same();
    }
    String note = refusals.isEmpty() ? null : "refused: " + String.join("; ", refusals);
    if (note != null) {
      context.getLog().warn("{}: what {} brought was {}", key.heldId(), contract.id(), note);
    }
    save(known.in(taken ? RouteState.ANSWERED : RouteState.REFUSED, note, null), null);
    return Behaviors.same();
  }

  /** Whether this provider's word under the id was taken in before, by an earlier incarnation. */
  private boolean onRecord(Attestation given) {
    Evidence known = facts.evidence().get(given.attestationId());
    return known != null && known.witness().equals(contract.identity().ref());
  }

  private Behavior<Message> propose(WitnessAnswer.Nested nested) {
    busy = true;
    context.pipeToSelf(
        tools
            .desk()
            .propose(
                contract.identity(),
                facts,
                Objects.requireNonNull(route).requestId(),
                nested.callId(),
                nested.tool(),
                nested.args()),
        (proposed, failure) ->
            failure == null ? new Proposed(proposed) : new ProposeLater(nested, failure));
    return Behaviors.same();
  }

  private Behavior<Message> onProposeLater(ProposeLater later) {
    context
        .getLog()
        .warn(
            "{}: the call that {} asks for was not proposed, again in {}: {}",
            key.heldId(),
            contract.id(),
            RETRY,
            String.valueOf(later.why()));
    timers.startSingleTimer("propose", new Propose(later.nested()), RETRY);
    return Behaviors.same();
  }

  private Behavior<Message> onProposed(Proposed proposed) {
    RouteRecord known = Objects.requireNonNull(route);
    String child = proposed.call().heldId();
    if (child == null) {
      return nestedRefused(known, String.valueOf(proposed.call().refused()));
    }
    save(known.under(child).in(RouteState.NESTED, "waits for its own call " + child, null), null);
    return Behaviors.same();
  }

  private Behavior<Message> nestedRefused(RouteRecord known, String why) {
    String reason = "its own governed call was refused: " + why;
    return switch (contract.onNestedRefused()) {
      case DENY ->
          handIn(
              List.of(
                  request(known)
                      .attest(
                          "",
                          AttestationDecision.DENY,
                          reason,
                          null,
                          null,
                          now(),
                          contract.validity())));
      case UNAVAILABLE -> {
        save(known.under(null).in(RouteState.UNAVAILABLE, reason, null), null);
        yield Behaviors.same();
      }
    };
  }

  private void resolve(RouteRecord known, RoutePlan.Resolve resolve) {
    busy = true;
    Function<HeldCallFacts, CompletionStage<WitnessAnswer>> ask =
        child -> limited(() -> provider.nested(request(known), NestedCalls.ran(child)));
    context.pipeToSelf(
        tools
            .desk()
            .facts(resolve.nestedHeldId())
            .thenCompose(
                child -> {
                  String refused = NestedCalls.refused(child);
                  return refused == null
                      ? ask.apply(child)
                          .thenApply(answer -> (Message) new Answered(answer, resolve))
                      : CompletableFuture.<Message>completedFuture(
                          new Proposed(new WitnessDesk.Proposed(null, refused)));
                }),
        (message, failure) -> failure == null ? message : new Failed(failure));
  }

  /** A reminder that fails is not made up for: it observes, and the request stands. */
  private void remind(RouteRecord known, RoutePlan.Remind remind) {
    limited(() -> provider.remind(request(known), remind.reference()))
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                org.slf4j.LoggerFactory.getLogger(WitnessRouteActor.class)
                    .warn("{}: {} could not be reminded: {}", key.heldId(), contract.id(), failure);
              }
            });
    save(known.remindedOnce(), null);
  }

  private void renew(RouteRecord known, RoutePlan.Renew renew, Instant now) {
    String old = renew.oldReference();
    RouteRecord next =
        known.nextRound(facts.requireGeneration().tool(), renew.contractDigest(), now);
    String why = "the request was replaced by a newer one";
    if (old == null) {
      save(next, null);
    } else if (known.state() == RouteState.NESTED) {
      takeBack(() -> cancel(old, why), next);
    } else {
      WitnessWithdrawal over =
          new WitnessWithdrawal(known.requestId(), key.heldId(), known.tool(), old, why);
      takeBack(() -> provider.withdraw(over), next);
    }
  }

  private CompletionStage<Void> cancel(String child, String why) {
    return tools.desk().cancel(contract.identity(), child, why);
  }

  /** What is out is taken back first; if that fails, again, and after some tries not at all. */
  private void takeBack(Supplier<CompletionStage<Void>> say, RouteRecord then) {
    busy = true;
    report();
    context.pipeToSelf(limited(say), (done, failure) -> new ToldOver(then, failure));
  }

  private Behavior<Message> onToldOver(ToldOver told) {
    boolean again = told.failure() != null && withdrawals < MAX_WITHDRAWALS && !retired;
    if (again) {
      withdrawals++;
      busy = false;
      context
          .getLog()
          .warn(
              "{}: what {} has out could not be taken back: {}",
              key.heldId(),
              contract.id(),
              String.valueOf(told.failure()));
      timers.startSingleTimer("due", new Due(), RETRY);
      return Behaviors.same();
    }
    withdrawals = 0;
    save(told.then(), null);
    return Behaviors.same();
  }

  /** The database or the kernel did not answer; nothing is lost, everything is looked at again. */
  private Behavior<Message> onFailed(Failed failed) {
    context
        .getLog()
        .warn(
            "{}: the route to {} rests, again in {}: {}",
            key.heldId(),
            contract.id(),
            RETRY,
            String.valueOf(failed.why()));
    busy = false;
    stale = true;
    failures++;
    report();
    if (retired && (learned == null || failures > MAX_FAILURES)) {
      return Behaviors.stopped();
    }
    timers.startSingleTimer("due", new Due(), RETRY);
    return Behaviors.same();
  }
}
