package dev.heldcall.kernel.route;

import static dev.heldcall.kernel.route.Providers.PATIENCE;
import static dev.heldcall.kernel.route.Providers.TIMEOUT;
import static dev.heldcall.kernel.route.RouteWorld.SETTLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.route.RoutePlan.Terms;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderContract.OnNestedRefused;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What is to be done about a route, row by row. */
class RoutePlanTest {

  private static final Set<RouteState> OUT =
      EnumSet.of(RouteState.REQUESTED, RouteState.NESTED, RouteState.UNWANTED);

  private static final Instant START = CoreFixtures.START;
  private static final ProviderContract REPEATABLE = Providers.contract("ci", "ci", 0);
  private static final ProviderContract ONCE =
      Providers.contract("ci", "ci", 0, false, PATIENCE, OnNestedRefused.DENY);

  /** Held for a person and for CI, for ten minutes. */
  private final LiveCall call = LiveCall.proposed(CoreFixtures.demand("human & ci"), "transfer");

  private List<Duration> remindBefore = List.of();

  private RouteRecord wanted() {
    HeldCallFacts facts = call.facts();
    return RouteRecord.wanted(
        new RouteKey(facts.requireSpec().heldId(), facts.requireGeneration().number(), "ci"),
        "acme",
        "transfer",
        Objects.requireNonNull(call.contractDigest()),
        START);
  }

  /** A route in the state, first asked at the start, with a reference where the state has one. */
  private RouteRecord in(RouteState state, @Nullable Instant nextAt) {
    RouteRecord asked = wanted().asking(START, START);
    RouteRecord named =
        switch (state) {
          case REQUESTED, NESTED, UNWANTED -> asked.under("ref");
          default -> asked;
        };
    return named.in(state, null, nextAt);
  }

  private RoutePlan next(RouteRecord route, ProviderContract contract, Instant now) {
    return RoutePlan.next(route, call.facts(), contract, new Terms(remindBefore, SETTLE), now);
  }

  private RoutePlan next(RouteRecord route, Instant now) {
    return next(route, REPEATABLE, now);
  }

  private static RoutePlan rest(@Nullable Instant until) {
    return new RoutePlan.Rest(until);
  }

  private static Instant at(long seconds) {
    return START.plusSeconds(seconds);
  }

  @Test
  void whoIsWantedIsAsked() {
    assertThat(next(wanted(), START)).isEqualTo(new RoutePlan.Ask());
    assertThat(next(wanted(), ONCE, START)).isEqualTo(new RoutePlan.Ask());
  }

  @Test
  void nothingIsDoneWithoutAContract() {
    RouteRecord wanted = wanted();
    LiveCall allowed = LiveCall.proposed(CoreFixtures.ALLOW, "transfer");
    assertThat(
            RoutePlan.next(
                wanted, allowed.facts(), REPEATABLE, new Terms(List.of(), SETTLE), START))
        .isEqualTo(rest(null));
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"ANSWERED", "DEFERRED", "REFUSED", "IN_DOUBT"})
  void whatHasComeToItsEndStays(RouteState state) {
    assertThat(next(in(state, null), at(100_000))).isEqualTo(rest(null));
  }

  @ParameterizedTest
  @EnumSource
  void anotherContractMakesANewRequest(RouteState state) {
    RouteRecord old = in(state, null);
    call.adopt(CoreFixtures.demand("human & ci", "{'expires_s': 300}")).tick();
    boolean out = OUT.contains(state);
    assertThat(next(old, START))
        .isEqualTo(
            new RoutePlan.Renew(Objects.requireNonNull(call.contractDigest()), out ? "ref" : null));
  }

  @Nested
  class WhenAnAskBeganThatNobodyEnded {

    private final Instant over = START.plus(TIMEOUT).plus(RoutePlan.GRACE);

    @Test
    void waitsUntilItMustHaveEnded() {
      assertThat(next(in(RouteState.ASKING, null), over.minusMillis(1))).isEqualTo(rest(over));
      assertThat(next(in(RouteState.ASKING, at(60)), over)).isEqualTo(rest(at(60)));
    }

    @Test
    void asksAgainWhereThatIsHarmless() {
      assertThat(next(in(RouteState.ASKING, null), over)).isEqualTo(new RoutePlan.Ask());
    }

    @Test
    void neverAsksTwiceWhereItIsNot() {
      Instant settled = START.plus(TIMEOUT).plus(SETTLE);
      RouteRecord asking = in(RouteState.ASKING, null);
      assertThat(next(asking, ONCE, settled.minusMillis(1))).isEqualTo(rest(settled));
      assertThat(next(asking, ONCE, settled)).isEqualTo(new RoutePlan.Recover());
      assertThat(next(in(RouteState.ASKING, at(60)), ONCE, at(60)))
          .isEqualTo(new RoutePlan.Recover());
    }

    @Test
    void isNeverSurerThanWhereItAsksAgain() {
      Terms hasty = new Terms(List.of(), Duration.ofMillis(200));
      assertThat(hasty.over(ONCE)).isEqualTo(hasty.over(REPEATABLE));
    }

    @ParameterizedTest
    @EnumSource(
        mode = Mode.INCLUDE,
        names = {"WANTED", "ASKING"})
    void asksNobodyWhoseWordIsOnRecord(RouteState state) {
      RouteRecord route = in(state, START);
      assertThat(call.attest(REPEATABLE.identity(), word(route.requestId())).events()).hasSize(1);
      assertThat(next(route, ONCE, over)).isEqualTo(new RoutePlan.Conclude());
      assertThat(next(route, over)).isEqualTo(new RoutePlan.Conclude());
    }

    @Test
    void takesNobodyElsesWordForIts() {
      RouteRecord route = in(RouteState.ASKING, START);
      call.attest(CoreFixtures.CI, word(route.requestId()));
      assertThat(call.facts().evidence()).containsKey(route.requestId());
      assertThat(next(route, over)).isEqualTo(new RoutePlan.Ask());
    }
  }

  private Attestation word(String id) {
    return call.attestation(id, REPEATABLE.identity(), AttestationDecision.APPROVE);
  }

  @Nested
  class WhenTheRequestIsOut {

    @Test
    void looksWhenItIsTime() {
      assertThat(next(in(RouteState.REQUESTED, at(30)), at(29))).isEqualTo(rest(at(30)));
      assertThat(next(in(RouteState.REQUESTED, at(30)), at(30)))
          .isEqualTo(new RoutePlan.Look("ref"));
    }

    @Test
    void waitsForEverWithoutATimeToLook() {
      assertThat(next(in(RouteState.REQUESTED, null), at(500))).isEqualTo(rest(null));
    }

    @Test
    void losesItsPatience() {
      Instant over = START.plus(PATIENCE);
      RouteRecord out = in(RouteState.REQUESTED, null);
      assertThat(next(out, ONCE, over.minusMillis(1))).isEqualTo(rest(over));
      assertThat(next(out, ONCE, over)).isInstanceOf(RoutePlan.GiveUp.class);
      assertThat(next(in(RouteState.REQUESTED, over), ONCE, over))
          .isInstanceOf(RoutePlan.GiveUp.class);
    }

    @Test
    void remindsBeforeTheEndEachTimeOnce() {
      remindBefore = List.of(Duration.ofMinutes(5), Duration.ofMinutes(1));
      RouteRecord out = in(RouteState.REQUESTED, null);
      assertThat(next(out, at(299))).isEqualTo(rest(at(300)));
      assertThat(next(out, at(300))).isEqualTo(new RoutePlan.Remind("ref"));
      assertThat(next(out.remindedOnce(), at(300))).isEqualTo(rest(at(540)));
      assertThat(next(out.remindedOnce(), at(540))).isEqualTo(new RoutePlan.Remind("ref"));
      assertThat(next(out.remindedOnce().remindedOnce(), at(599))).isEqualTo(rest(null));
    }

    @Test
    void doesNotRemindOfWhatWasAskedLaterThanThat() {
      remindBefore = List.of(Duration.ofHours(1), Duration.ofMinutes(1));
      RouteRecord out = in(RouteState.REQUESTED, null);
      assertThat(next(out, START)).isEqualTo(rest(at(540)));
      assertThat(next(out, at(540))).isEqualTo(new RoutePlan.Remind("ref"));
      assertThat(next(out.remindedOnce(), at(599))).isEqualTo(rest(null));
    }

    @Test
    void restsUntilTheSoonestOfAll() {
      remindBefore = List.of(Duration.ofMinutes(1));
      assertThat(next(in(RouteState.REQUESTED, at(550)), ONCE, START)).isEqualTo(rest(at(540)));
      assertThat(next(in(RouteState.REQUESTED, at(500)), ONCE, START)).isEqualTo(rest(at(500)));
    }
  }

  @Nested
  class WhenItWaitsForACallOfItsOwn {

    private final RouteRecord waiting =
        in(RouteState.NESTED, null).under("hc_child").in(RouteState.NESTED, null, null);

    private void settle() {
      call.run(new HeldCallCommand.AnnounceChild("hc_child"));
      call.run(
          new HeldCallCommand.ReportDependency(
              "hc_child", DependencyState.SATISFIED, true, "concluded"));
      assertThat(call.facts().settledChildren()).contains("hc_child");
    }

    @Test
    void waitsForIt() {
      assertThat(next(waiting, at(500))).isEqualTo(rest(null));
      assertThat(next(waiting, ONCE, START)).isEqualTo(rest(START.plus(PATIENCE)));
      assertThat(next(waiting, ONCE, START.plus(PATIENCE))).isInstanceOf(RoutePlan.GiveUp.class);
    }

    @Test
    void goesOnWhenItHasSettled() {
      settle();
      assertThat(next(waiting, at(1))).isEqualTo(new RoutePlan.Resolve("hc_child"));
      RouteRecord swept = waiting.in(RouteState.NESTED, null, START.plus(PATIENCE));
      assertThat(next(swept, ONCE, at(1))).isEqualTo(new RoutePlan.Resolve("hc_child"));
    }

    @Test
    void pausesBeforeItIsToldAgain() {
      settle();
      RouteRecord later = waiting.in(RouteState.NESTED, "down", at(5));
      assertThat(next(later, at(4))).isEqualTo(rest(at(5)));
      assertThat(next(later, at(5))).isEqualTo(new RoutePlan.Resolve("hc_child"));
    }
  }

  @Nested
  class WhenItCouldNotBeReached {

    @Test
    void triesAgainWhenItIsTime() {
      assertThat(next(in(RouteState.UNAVAILABLE, at(4)), at(3))).isEqualTo(rest(at(4)));
      assertThat(next(in(RouteState.UNAVAILABLE, at(4)), at(4))).isEqualTo(new RoutePlan.Ask());
    }

    @Test
    void looksWhereTheRequestIsOut() {
      RouteRecord out = in(RouteState.REQUESTED, null).in(RouteState.UNAVAILABLE, "no", at(4));
      assertThat(next(out, at(4))).isEqualTo(new RoutePlan.Look("ref"));
    }

    @Test
    void staysWhereThereIsNoPointInTryingAgain() {
      assertThat(next(in(RouteState.UNAVAILABLE, null), at(500))).isEqualTo(rest(null));
    }

    @Test
    void losesItsPatience() {
      Instant over = START.plus(PATIENCE);
      assertThat(next(in(RouteState.UNAVAILABLE, over), ONCE, over))
          .isInstanceOf(RoutePlan.GiveUp.class);
    }

    @Test
    void pausesGrowUpToABound() {
      assertThat(RoutePlan.again(1, START)).isEqualTo(at(1));
      assertThat(RoutePlan.again(2, START)).isEqualTo(at(2));
      assertThat(RoutePlan.again(9, START)).isEqualTo(at(256));
      assertThat(RoutePlan.again(10, START)).isEqualTo(at(300));
      assertThat(RoutePlan.again(Integer.MAX_VALUE, START)).isEqualTo(at(300));
      assertThat(RoutePlan.again(0, START)).isEqualTo(at(1));
    }
  }

  @Nested
  class WhenItsEvidenceIsNoLongerWorthWhatItWas {

    private final RouteRecord answered = in(RouteState.ANSWERED, null);

    private void attested() {
      assertThat(call.attest(REPEATABLE.identity(), word(answered.requestId())).events())
          .hasSize(1);
    }

    @Test
    void standsWhileItCounts() {
      attested();
      assertThat(next(answered, at(1))).isEqualTo(rest(null));
    }

    @Test
    void isAskedAgainWhenItHasExpired() {
      Attestation brief = word(answered.requestId());
      call.attest(
          REPEATABLE.identity(),
          new Attestation(
              brief.attestationId(),
              brief.generation(),
              brief.callDigest(),
              brief.contractDigest(),
              brief.witnessClass(),
              brief.decision(),
              null,
              null,
              brief.issuedAt(),
              brief.issuedAt().plusSeconds(60),
              null));
      call.advance(Duration.ofSeconds(61)).tick();
      assertThat(next(answered, at(61)))
          .isEqualTo(new RoutePlan.Renew(Objects.requireNonNull(call.contractDigest()), null));
    }

    @Test
    void isNotAskedAgainWhenSomebodyTookItBack() {
      attested();
      call.run(
          new HeldCallCommand.RevokeAttestation(
              CoreFixtures.OPERATOR, answered.requestId(), "wrong"));
      assertThat(next(answered, at(1))).isEqualTo(rest(null));
    }

    @Test
    void countsOnlyEvidenceOfTheSameRequest() {
      RouteRecord second =
          answered
              .nextRound("transfer", Objects.requireNonNull(call.contractDigest()), START)
              .in(RouteState.ANSWERED, null, null);
      assertThat(second.requestId()).isEqualTo(answered.requestId() + ".r2");
      attested();
      assertThat(next(second.in(RouteState.WANTED, null, START), START))
          .isEqualTo(new RoutePlan.Ask());
    }
  }

  @Test
  void whatIsWantedAfterAllIsAskedAnew() {
    Digest contract = Objects.requireNonNull(call.contractDigest());
    assertThat(next(in(RouteState.UNWANTED, START), START))
        .isEqualTo(new RoutePlan.Renew(contract, "ref"));
    RouteRecord back = in(RouteState.UNWANTED, START).withdrawn("over");
    assertThat(next(back, START)).isEqualTo(new RoutePlan.Renew(contract, null));
  }
}
