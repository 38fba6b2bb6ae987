package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.readside.RouteTable;
import dev.heldcall.kernel.route.RouteRecord;
import dev.heldcall.kernel.route.RouteState;
import dev.heldcall.kernel.route.RouteStore;
import dev.heldcall.kernel.route.WitnessDesk;
import dev.heldcall.kernel.route.WitnessProviders;
import dev.heldcall.kernel.store.JdbcExecutor;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingReply.RefusalKind;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.IncomingWitness.Disposition;
import dev.heldcall.plugin.api.IncomingWitness.VoteOutcome;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This node's side of the witness routes: what they may ask of the kernel, and who knocks. */
final class NodeRoutes implements WitnessDesk, RouteStore {

  private static final Logger LOG = LoggerFactory.getLogger(NodeRoutes.class);

  /** A withdrawal that fails so often is given up: it is a courtesy. */
  private static final int MAX_WITHDRAWALS = 12;

  private static final int LONGEST_PAUSE_SECONDS = 600;

  /** Withdrawals under way at once; who finds no place comes again with a later sweep. */
  private static final int MAX_UNDER_WAY = 64;

  private final RouteTable table;
  private final JdbcExecutor jdbc;
  private final WitnessProviders providers;
  private final PrincipalRoster roster;
  private final Clock clock;
  private final Semaphore withdrawing = new Semaphore(MAX_UNDER_WAY);
  private final AtomicReference<HeldCalls> calls = new AtomicReference<>();
  private final AtomicReference<EntityClient> entities = new AtomicReference<>();

  NodeRoutes(
      RouteTable table,
      JdbcExecutor jdbc,
      WitnessProviders providers,
      PrincipalRoster roster,
      Clock clock) {
    this.table = table;
    this.jdbc = jdbc;
    this.providers = providers;
    this.roster = roster;
    this.clock = clock;
  }

  /** The kernel is up: from now on routes may ask it. */
  void open(HeldCalls heldCalls, EntityClient client) {
    calls.set(heldCalls);
    entities.set(client);
  }

  @Override
  public CompletionStage<RouteRecord> open(RouteRecord ifAbsent) {
    return jdbc.ask(() -> table.open(ifAbsent));
  }

  @Override
  public CompletionStage<Optional<RouteRecord>> save(RouteRecord route) {
    return jdbc.ask(() -> table.save(route, clock.millis()));
  }

  @Override
  public CompletionStage<VoteOutcome> attest(
      Principal witness, String heldId, Attestation attestation) {
    HeldCalls kernel = calls.get();
    if (kernel == null) {
      return CompletableFuture.completedFuture(unavailable());
    }
    return kernel
        .attest(witness, heldId, attestation)
        .handle((reply, failure) -> failure == null ? outcome(reply) : unavailable());
  }

  private static VoteOutcome unavailable() {
    return new VoteOutcome(Disposition.UNAVAILABLE, "the call could not be reached; try again");
  }

  private static VoteOutcome outcome(Reply<AttestationReceipt> reply) {
    return switch (reply) {
      case Reply.Ok<AttestationReceipt>(var receipt) ->
          new VoteOutcome(
              receipt.disposition() == AttestationReceipt.Disposition.DUPLICATE
                  ? Disposition.DUPLICATE
                  : Disposition.ACCEPTED,
              receipt.reason());
      case Reply.Refused<AttestationReceipt>(var rejection) ->
          new VoteOutcome(disposition(rejection.problem()), rejection.detail());
    };
  }

  private static Disposition disposition(Problem problem) {
    return switch (problem) {
      case UNAVAILABLE, TOO_MANY_CALLS -> Disposition.UNAVAILABLE;
      case STALE, TOO_LATE, EFFECT_DISPATCHED, NOT_OPEN, NOT_FOUND -> Disposition.STALE;
      default -> Disposition.INVALID;
    };
  }

  @Override
  public CompletionStage<Proposed> propose(
      Principal proposer,
      HeldCallFacts parent,
      String requestId,
      String callId,
      String tool,
      JsonNode args) {
    HeldCalls kernel = calls.get();
    if (kernel == null) {
      return CompletableFuture.failedFuture(new IllegalStateException("the node is starting"));
    }
    String parentId = parent.requireSpec().heldId();
    Proposal proposal =
        new Proposal(
            "witness:" + parentId,
            requestId,
            callId,
            Boundary.TOOL,
            tool,
            args,
            null,
            List.of(),
            parentId,
            Preferences.NONE);
    return kernel
        .propose(proposer, proposal, Duration.ZERO, null)
        .thenCompose(
            reply ->
                switch (reply) {
                  case Reply.Ok<CallView>(var view) ->
                      CompletableFuture.completedFuture(
                          new Proposed(view.facts().requireSpec().heldId(), null));
                  case Reply.Refused<CallView>(var rejection) -> refusal(rejection);
                });
  }

  private static CompletionStage<Proposed> refusal(Rejection rejection) {
    return rejection.problem() == Problem.UNAVAILABLE
            || rejection.problem() == Problem.TOO_MANY_CALLS
        ? CompletableFuture.failedFuture(new IllegalStateException(rejection.detail()))
        : CompletableFuture.completedFuture(new Proposed(null, rejection.detail()));
  }

  @Override
  public CompletionStage<Void> cancel(Principal proposer, String heldId, String reason) {
    HeldCalls kernel = calls.get();
    return kernel == null
        ? CompletableFuture.failedFuture(new IllegalStateException("the node is starting"))
        : kernel.cancel(proposer, heldId, reason).thenCompose(NodeRoutes::cancelled);
  }

  private static CompletionStage<Void> cancelled(Reply<CallView> reply) {
    return reply instanceof Reply.Refused<CallView>(var rejection)
            && rejection.problem() == Problem.UNAVAILABLE
        ? CompletableFuture.failedFuture(new IllegalStateException(rejection.detail()))
        : CompletableFuture.completedFuture(null);
  }

  @Override
  public CompletionStage<HeldCallFacts> facts(String heldId) {
    EntityClient client = entities.get();
    return client == null
        ? CompletableFuture.failedFuture(new IllegalStateException("the node is starting"))
        : client.facts(heldId);
  }

  /** Takes a request back; what fails is tried again later, and at last let be. */
  void withdraw(RouteRecord route) {
    String reference = route.reference();
    WitnessProviders.Provider provider = providers.of(route.key().provider()).orElse(null);
    if (reference == null || provider == null) {
      withdrawn(route, route.note() == null ? "" : route.note());
      return;
    }
    if (!withdrawing.tryAcquire()) {
      return;
    }
    WitnessWithdrawal withdrawal =
        new WitnessWithdrawal(
            route.requestId(),
            route.key().heldId(),
            route.tool(),
            reference,
            route.note() == null ? "no longer asked for" : route.note());
    CompletionStage<Void> told;
    try {
      told =
          provider
              .asked()
              .withdraw(withdrawal)
              .toCompletableFuture()
              .copy()
              .orTimeout(provider.contract().timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (RuntimeException | LinkageError e) {
      told = CompletableFuture.failedFuture(e);
    }
    told.whenComplete(
        (done, failure) -> {
          withdrawing.release();
          if (failure == null) {
            withdrawn(route, withdrawal.reason());
          } else {
            withdrawAgain(route, failure);
          }
        });
  }

  private void withdrawn(RouteRecord route, String why) {
    store(route.withdrawn(why));
  }

  private void withdrawAgain(RouteRecord route, Throwable failure) {
    LOG.warn(
        "{}: the request to {} could not be taken back: {}",
        route.key().heldId(),
        route.key().provider(),
        failure.toString());
    if (route.attempts() + 1 >= MAX_WITHDRAWALS) {
      withdrawn(route, "given up taking it back");
      return;
    }
    long pause = Math.min(LONGEST_PAUSE_SECONDS, 1L << Math.min(20, route.attempts() + 1));
    store(route.withdrawAt(Instant.now(clock).plusSeconds(pause)));
  }

  private void store(RouteRecord route) {
    save(route)
        .whenComplete(
            (saved, failure) -> {
              if (failure != null) {
                LOG.warn(
                    "{}: its route to {} was not written, again soon: {}",
                    route.key().heldId(),
                    route.key().provider(),
                    failure.toString());
              }
            });
  }

  /**
   * How the routes of a call stand, of its current generation; none if the database does not say
   * so: they are shown beside the call and decide nothing of it.
   */
  CompletionStage<List<RouteView>> of(HeldCallFacts facts) {
    if (!facts.proposed() || !providers.serve(facts.requireSpec().proposer().org())) {
      return CompletableFuture.completedFuture(List.of());
    }
    int generation = facts.requireGeneration().number();
    return jdbc.ask(() -> table.of(facts.requireSpec().heldId()))
        .thenApply(
            routes ->
                routes.stream()
                    .filter(each -> each.key().generation() == generation)
                    .map(this::view)
                    .toList())
        .exceptionally(
            failure -> {
              LOG.warn("routes could not be read: {}", String.valueOf(failure));
              return List.of();
            });
  }

  /** The routes that a call takes from here, as nobody has been asked yet. */
  List<RouteView> planned(HeldCallFacts facts) {
    return providers.asked(facts, Instant.now(clock), exhausted -> false).stream()
        .flatMap(each -> providers.of(each).stream())
        .map(
            each ->
                new RouteView(
                    each.contract().witnessClass(),
                    each.contract().id(),
                    RouteState.WANTED.wireName(),
                    null,
                    null,
                    null,
                    0))
        .toList();
  }

  private RouteView view(RouteRecord route) {
    String witnessClass =
        providers.of(route.key().provider()).map(each -> each.contract().witnessClass()).orElse("");
    return new RouteView(
        witnessClass,
        route.key().provider(),
        route.state().wireName(),
        route.note(),
        route.askedAt(),
        route.state() == RouteState.WITHDRAWN ? null : route.nextAt(),
        route.attempts());
  }

  /** Somebody knocks at a provider. */
  CompletionStage<Reply<IncomingReply>> incoming(String providerId, IncomingMessage message) {
    WitnessProviders.Provider provider = providers.of(providerId).orElse(null);
    return provider == null
        ? CompletableFuture.completedFuture(
            new Reply.Refused<>(Rejection.of(Problem.NOT_FOUND, "no such witness provider")))
        : incoming(provider, message).thenApply(Reply.Ok::new);
  }

  private CompletionStage<IncomingReply> incoming(
      WitnessProviders.Provider provider, IncomingMessage message) {
    String providerId = provider.contract().id();
    IncomingWitness meant;
    try {
      meant = provider.asked().incoming(message);
    } catch (RuntimeException | LinkageError e) {
      LOG.error("witness provider {} failed at an incoming message", providerId, e);
      return reply(
          IncomingReply.refused(RefusalKind.INVALID, "the message could not be understood"));
    }
    return switch (meant) {
      case IncomingWitness.Answered answered -> reply(answered.reply());
      case IncomingWitness.Poke poke ->
          jdbc.ask(() -> table.poke(providerId, poke.reference(), clock.millis()))
              .thenApply(poked -> poke.reply());
      case IncomingWitness.Refused refused -> refuse(provider, refused);
      case IncomingWitness.Vote vote -> vote(provider, vote);
    };
  }

  private CompletionStage<IncomingReply> refuse(
      WitnessProviders.Provider provider, IncomingWitness.Refused refused) {
    HeldCalls kernel = calls.get();
    if (kernel == null) {
      return reply(refused.reply());
    }
    return kernel
        .refuseAttestation(
            provider.contract().identity(), refused.heldId(), null, refused.reason(), List.of())
        .handle((recorded, failure) -> refused.reply());
  }

  /**
   * A provider speaks for its own class only, whoever it names and whatever they hold beside it.
   */
  private CompletionStage<IncomingReply> vote(
      WitnessProviders.Provider provider, IncomingWitness.Vote vote) {
    Principal known = roster.witness(vote.witness()).orElse(null);
    String who = vote.witness().project() + "/" + vote.witness().id();
    String witnessClass = provider.contract().witnessClass();
    if (known == null || !vote.witness().org().equals(provider.contract().identity().org())) {
      return refuseVote(provider, vote, who + " is no witness here");
    }
    if (!vote.attestation().witnessClass().equals(witnessClass)) {
      return refuseVote(provider, vote, "it takes words of the class " + witnessClass + " only");
    }
    return attest(known, vote.heldId(), vote.attestation())
        .thenApply(outcome -> vote.reply().apply(outcome));
  }

  private CompletionStage<IncomingReply> refuseVote(
      WitnessProviders.Provider provider, IncomingWitness.Vote vote, String why) {
    return refuse(
        provider,
        new IncomingWitness.Refused(
            vote.heldId(),
            "by way of " + provider.contract().id() + ": " + why,
            vote.reply().apply(new VoteOutcome(Disposition.INVALID, why))));
  }

  private static CompletionStage<IncomingReply> reply(IncomingReply reply) {
    return CompletableFuture.completedFuture(reply);
  }
}
