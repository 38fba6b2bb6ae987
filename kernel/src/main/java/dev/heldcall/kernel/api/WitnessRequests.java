package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.Asking;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.kernel.readside.ReadSideWriter;
import dev.heldcall.kernel.readside.WitnessClaims;
import dev.heldcall.kernel.store.JdbcExecutor;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands witness requests to consumers of a queue. The index says which there are, and the call
 * itself whether it asks this one: what it does not is given back before anybody sees it.
 */
final class WitnessRequests {

  /** Requests that one principal may have claimed at once; over it 429. */
  static final int MAX_LIVE = 500;

  /** Others may be faster again and again. */
  private static final int MAX_ROUNDS = 50;

  /** Calls that are looked at for nothing before a claim is answered with what there is. */
  private static final int MAX_IN_VAIN = 500;

  private static final long LOOK_AGAIN_MILLIS = 500;

  /** For so long nobody looks whether there are claims, where there were none. */
  private static final long UNUSED_MILLIS = 1_000;

  private static final Duration CATCH_UP = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(WitnessRequests.class);

  private final WitnessClaims claims;
  private final EntityClient calls;
  private final JdbcExecutor jdbc;
  private final ReadSideWriter writer;
  private final Clock clock;
  private final Leaving leaving;

  /** Until when this node takes it that nobody claims; an attestation then costs nothing here. */
  private final AtomicLong unusedUntil = new AtomicLong();

  WitnessRequests(
      WitnessClaims claims,
      EntityClient calls,
      JdbcExecutor jdbc,
      ReadSideWriter writer,
      Clock clock,
      Leaving leaving) {
    this.claims = claims;
    this.calls = calls;
    this.jdbc = jdbc;
    this.writer = writer;
    this.clock = clock;
    this.leaving = leaving;
  }

  /** What somebody asks for, and how much of it. */
  private record Wanted(Principal witness, String witnessClass, int limit, Duration lease) {

    WitnessClaims.Claimer claimer() {
      return new WitnessClaims.Claimer(witness.ref(), witness.onBehalfOf(), witnessClass);
    }
  }

  CompletionStage<Reply<List<ClaimedRequest>>> claim(
      Principal witness, String witnessClass, int limit, Duration lease, Duration wait) {
    unusedUntil.set(0);
    if (!witness.has(Role.WITNESS) || !witness.witnessClasses().contains(witnessClass)) {
      return CompletableFuture.completedFuture(
          refused(Problem.FORBIDDEN, "only a witness of the class claims its requests"));
    }
    Instant until = clock.instant().plus(wait);
    return jdbc.ask(
            () -> {
              tidy();
              return claims.live(witness.ref(), clock.millis());
            })
        .thenCompose(
            live ->
                live >= MAX_LIVE
                    ? CompletableFuture.completedFuture(
                        refused(
                            Problem.TOO_MANY_CLAIMS,
                            live + " requests are claimed and neither attested nor released"))
                    : look(
                            new Wanted(
                                witness, witnessClass, Math.min(limit, MAX_LIVE - live), lease),
                            until)
                        .thenApply(Reply.Ok::new));
  }

  /** What cannot be cleared away now is cleared away by the next. */
  private void tidy() {
    try {
      claims.tidy(clock.millis());
    } catch (java.sql.SQLException e) {
      LOG.debug("old claims could not be cleared away: {}", e.toString());
    }
  }

  private CompletionStage<List<ClaimedRequest>> look(Wanted wanted, Instant until) {
    return writer
        .flushed()
        .completeOnTimeout(null, CATCH_UP.toMillis(), TimeUnit.MILLISECONDS)
        .thenCompose(done -> round(wanted, new Search(new ArrayList<>(), 0, 0)))
        .thenCompose(
            items -> {
              long left = Duration.between(clock.instant(), until).toMillis();
              if (!items.isEmpty() || left <= 0 || leaving.isTold()) {
                return CompletableFuture.completedFuture(items);
              }
              return CompletableFuture.supplyAsync(
                      () -> until,
                      CompletableFuture.delayedExecutor(
                          Math.min(left, LOOK_AGAIN_MILLIS), TimeUnit.MILLISECONDS))
                  .thenCompose(same -> look(wanted, same));
            });
  }

  /** How far a search has come: what it has, after how many rounds and looks in vain. */
  private record Search(List<ClaimedRequest> items, int rounds, int inVain) {

    boolean bounded() {
      return rounds >= MAX_ROUNDS || inVain >= MAX_IN_VAIN;
    }
  }

  /** Goes on while there are requests that others were faster for, or that are not for this one. */
  private CompletionStage<List<ClaimedRequest>> round(Wanted wanted, Search search) {
    Instant now = clock.instant();
    Instant until = now.plus(wanted.lease());
    int room = wanted.limit() - search.items().size();
    return jdbc.ask(
            () ->
                claims.take(
                    wanted.claimer(),
                    room,
                    now.toEpochMilli(),
                    until.toEpochMilli(),
                    () -> "wc_" + UUID.randomUUID().toString().replace("-", "")))
        .thenCompose(
            caught ->
                checked(wanted, caught.taken(), until)
                    .thenCompose(
                        asked -> {
                          List<ClaimedRequest> items = new ArrayList<>(search.items());
                          items.addAll(asked);
                          Search next =
                              new Search(
                                  items,
                                  search.rounds() + 1,
                                  search.inVain() + caught.taken().size() - asked.size());
                          boolean more = caught.found() == room && items.size() < wanted.limit();
                          return more && !next.bounded()
                              ? round(wanted, next)
                              : CompletableFuture.completedFuture(items);
                        }));
  }

  private CompletionStage<List<ClaimedRequest>> checked(
      Wanted wanted, List<WitnessClaims.Taken> taken, Instant until) {
    List<CompletableFuture<Optional<ClaimedRequest>>> looks =
        taken.stream().map(each -> check(wanted, each, until)).toList();
    return CompletableFuture.allOf(looks.toArray(CompletableFuture[]::new))
        .thenApply(
            done -> {
              List<ClaimedRequest> items = new ArrayList<>();
              for (CompletableFuture<Optional<ClaimedRequest>> look : looks) {
                look.join().ifPresent(items::add);
              }
              return items;
            });
  }

  /** The request as the call itself has it, or nothing once the claim is given back. */
  private CompletableFuture<Optional<ClaimedRequest>> check(
      Wanted wanted, WitnessClaims.Taken taken, Instant until) {
    CompletableFuture<CallReply> read =
        calls.read(taken.heldId(), -1, Duration.ZERO).toCompletableFuture();
    return read.<CompletionStage<Optional<ClaimedRequest>>>handle(
            (reply, failure) -> {
              if (failure != null) {
                return givenBack(taken, clock.millis() + LOOK_AGAIN_MILLIS);
              }
              Asking asking =
                  Asking.of(
                      reply.facts(),
                      wanted.witness(),
                      wanted.witnessClass(),
                      taken.generation(),
                      reply.now());
              Instant again = asking.again();
              return asking.asked()
                  ? CompletableFuture.completedFuture(
                      Optional.of(
                          new ClaimedRequest(
                              taken.claimId(),
                              wanted.witnessClass(),
                              until,
                              new CallView(reply.facts(), reply.sequence(), reply.now()))))
                  : givenBack(taken, again == null ? 0 : again.toEpochMilli());
            })
        .thenCompose(stage -> stage);
  }

  private CompletionStage<Optional<ClaimedRequest>> givenBack(
      WitnessClaims.Taken taken, long hideUntilMillis) {
    return jdbc.ask(
            () -> {
              claims.end(taken.claimId(), hideUntilMillis);
              return Optional.<ClaimedRequest>empty();
            })
        .exceptionally(
            failure -> {
              LOG.debug("{} ends by itself: {}", taken.claimId(), failure.toString());
              return Optional.empty();
            });
  }

  CompletionStage<Reply<String>> release(Principal by, String claimId) {
    return jdbc.ask(
        () -> {
          PrincipalRef holder =
              claims.holder(claimId).map(WitnessClaims.Holder::principal).orElse(null);
          if (holder == null || !holder.org().equals(by.org())) {
            return refused(Problem.NOT_FOUND, "no such claim");
          }
          if (!holder.equals(by.ref())) {
            return refused(Problem.FORBIDDEN, "only its holder releases a claim");
          }
          claims.release(claimId);
          return new Reply.Ok<>(claimId);
        });
  }

  /** Ends the claims of somebody who has attested; what fails here ends by itself. */
  void attested(PrincipalRef witness, String heldId, int generation) {
    if (clock.millis() < unusedUntil.get()) {
      return;
    }
    inPassing(
        heldId,
        () -> {
          if (claims.any()) {
            claims.attested(witness, heldId, generation);
          } else {
            unusedUntil.set(clock.millis() + UNUSED_MILLIS);
          }
          return heldId;
        });
  }

  /** Lets a call be handed out again to whoever has no word in it any more. */
  void revoked(String heldId) {
    inPassing(
        heldId,
        () -> {
          claims.revoked(heldId);
          return heldId;
        });
  }

  private void inPassing(String heldId, JdbcExecutor.Query<String> query) {
    var _ =
        jdbc.ask(query)
            .whenComplete(
                (done, failure) -> {
                  if (failure != null) {
                    LOG.warn("{}: a claim on it ends later: {}", heldId, failure.toString());
                  }
                });
  }

  private static <T> Reply<T> refused(Problem problem, String detail) {
    return new Reply.Refused<>(Rejection.of(problem, detail));
  }
}
