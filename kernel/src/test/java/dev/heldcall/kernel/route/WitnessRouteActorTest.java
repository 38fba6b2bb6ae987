package dev.heldcall.kernel.route;

import static dev.heldcall.kernel.route.Providers.PATIENCE;
import static dev.heldcall.kernel.route.Providers.TIMEOUT;
import static dev.heldcall.kernel.route.RouteWorld.SETTLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.LiveCalls;
import dev.heldcall.kernel.route.RouteWorld.Script.Asked;
import dev.heldcall.kernel.route.WitnessRouteActor.Retire;
import dev.heldcall.kernel.route.WitnessRouteActor.Stands;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.IncomingWitness.Disposition;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderContract.OnNestedRefused;
import dev.heldcall.plugin.api.WitnessAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One route with a scripted provider, with time that passes by hand; long because it goes through
 * all that can be under way, in the actor's order.
 */
@Timeout(60)
class WitnessRouteActorTest {

  private static final ActorTestKit KIT = ActorTestKit.create(ManualTime.config());
  private static final ManualTime TIME = ManualTime.get(KIT.system());
  private static final ProviderContract REPEATABLE = Providers.contract("ci", "ci", 0);
  private static final ProviderContract ONCE =
      Providers.contract("ci", "ci", 0, false, PATIENCE, OnNestedRefused.UNAVAILABLE);

  private final RouteWorld world = new RouteWorld();
  private final LiveCall call = LiveCall.proposed(CoreFixtures.demand("human & ci"), "transfer");
  private final TestProbe<RouteReport> reports = KIT.createTestProbe();
  private @Nullable ActorRef<WitnessRouteActor.Message> last;

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  @AfterEach
  void end() {
    if (last != null) {
      KIT.stop(last);
    }
  }

  private ActorRef<WitnessRouteActor.Message> route(ProviderContract contract) {
    ActorRef<WitnessRouteActor.Message> actor =
        KIT.spawn(
            WitnessRouteActor.create(
                world.tools(),
                new WitnessProviders.Provider(contract, world.provider),
                call.facts(),
                reports.getRef()));
    last = actor;
    return actor;
  }

  private RouteKey key() {
    HeldCallFacts facts = call.facts();
    return new RouteKey(facts.requireSpec().heldId(), facts.requireGeneration().number(), "ci");
  }

  private RouteRecord row() {
    return Objects.requireNonNull(world.store.all.get(key()));
  }

  /** Waits until the route is written so. */
  private RouteRecord awaitRow(RouteState state) {
    await().atMost(Duration.ofSeconds(20)).until(() -> row().state() == state);
    return row();
  }

  private void pass(Duration time) {
    world.clock.advance(time);
    TIME.timePasses(time);
  }

  private Asked asked(String what) {
    Asked next = world.provider.next();
    assertThat(next.what()).isEqualTo(what);
    return next;
  }

  private Attestation word(String id, AttestationDecision decision) {
    return call.attestation(id, REPEATABLE.identity(), decision);
  }

  private WitnessAnswer approves(Asked question) {
    return WitnessAnswer.Attested.of(word(question.requestId(), AttestationDecision.APPROVE));
  }

  private static WitnessAnswer waiting(@Nullable Duration lookAfter) {
    return new WitnessAnswer.Waiting("ref", lookAfter, "sent");
  }

  private static WitnessAnswer down() {
    return new WitnessAnswer.Unavailable("connection refused", true);
  }

  @Nested
  class Asking {

    @Test
    void isOnRecordBeforeAnybodyIsAsked() {
      route(REPEATABLE);
      Asked question = asked("ask");
      assertThat(row().state()).isEqualTo(RouteState.ASKING);
      assertThat(row().attempts()).isEqualTo(1);
      assertThat(question.requestId()).isEqualTo(row().requestId());
    }

    @Test
    void handsInWhatComes() {
      route(REPEATABLE);
      Asked question = asked("ask");
      question.says(approves(question));
      assertThat(awaitRow(RouteState.ANSWERED).note()).isNull();
      assertThat(world.desk.attested)
          .extracting(Attestation::attestationId)
          .containsExactly(question.requestId());
      pass(Duration.ofHours(2));
      assertThat(world.provider.asked).isEmpty();
    }

    @Test
    void saysHowItStands() {
      route(REPEATABLE);
      Asked question = asked("ask");
      reports.fishForMessage(
          Duration.ofSeconds(20),
          report ->
              report.state() == RouteState.ASKING && report.underWay()
                  ? org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes.complete()
                  : org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes
                      .continueAndIgnore());
      question.says(new WitnessAnswer.Deferred("no checks for this"));
      reports.fishForMessage(
          Duration.ofSeconds(20),
          report ->
              report.state() == RouteState.DEFERRED && !report.underWay()
                  ? org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes.complete()
                  : org.apache.pekko.actor.testkit.typed.javadsl.FishingOutcomes
                      .continueAndIgnore());
      assertThat(row().note()).isEqualTo("no checks for this");
    }

    @Test
    void triesAgainWithPausesThatGrow() {
      route(REPEATABLE);
      for (int seconds : List.of(1, 2, 4)) {
        asked("ask").says(down());
        RouteRecord row = awaitRow(RouteState.UNAVAILABLE);
        assertThat(row.nextAt()).isEqualTo(world.clock.instant().plusSeconds(seconds));
        assertThat(row.note()).isEqualTo("connection refused");
        reports.awaitAssert(() -> assertThat(reports.receiveMessage().underWay()).isFalse());
        pass(Duration.ofSeconds(seconds).minusMillis(1));
        assertThat(world.provider.asked).isEmpty();
        pass(Duration.ofMillis(1));
      }
      Asked question = asked("ask");
      question.says(approves(question));
      awaitRow(RouteState.ANSWERED);
    }

    @Test
    void outlivesAProviderThatThrowsFailsOrGivesNothing() {
      world.provider.throwing.add(new IllegalStateException("broken"));
      world.provider.throwing.add(new NoClassDefFoundError("broken"));
      route(REPEATABLE);
      var _ = asked("ask");
      assertThat(awaitRow(RouteState.UNAVAILABLE).note())
          .isEqualTo("the provider failed: IllegalStateException");
      pass(Duration.ofSeconds(1));
      var _ = asked("ask");
      await().until(() -> String.valueOf(row().note()).endsWith("NoClassDefFoundError"));
      pass(Duration.ofSeconds(2));
      asked("ask").answer().completeExceptionally(new java.io.IOException("reset"));
      await().until(() -> String.valueOf(row().note()).endsWith("IOException"));
      pass(Duration.ofSeconds(4));
      nothing(asked("ask"));
      await().until(() -> String.valueOf(row().note()).endsWith("it gave no answer"));
    }

    @SuppressWarnings("NullAway") // what a provider must not do
    private static void nothing(Asked question) {
      question.answer().complete(null);
    }

    @Test
    void waitsForAnAnswerNoLongerThanItMay() {
      route(quick(true));
      Asked late = asked("ask");
      assertThat(awaitRow(RouteState.UNAVAILABLE).note()).isEqualTo("no answer within 1s");
      late.says(approves(late));
      pass(Duration.ofMillis(999));
      assertThat(world.desk.attested).isEmpty();
      pass(Duration.ofMillis(1));
      Asked again = asked("ask");
      assertThat(again.requestId()).isEqualTo(late.requestId());
    }

    @Test
    void doesNotAskAgainWhatMustNotBeAskedTwice() {
      route(quick(false));
      var _ = asked("ask");
      await().until(() -> row().note() != null);
      assertThat(row().state()).isEqualTo(RouteState.ASKING);
      pass(Duration.ofSeconds(1).plus(SETTLE));
      asked("recover").says(new WitnessAnswer.InDoubt("not known"));
      assertThat(awaitRow(RouteState.IN_DOUBT).note()).isEqualTo("no answer within 1s; not known");
      pass(Duration.ofHours(2));
      assertThat(world.provider.asked).isEmpty();
    }

    private ProviderContract quick(boolean repeatable) {
      ProviderContract like = repeatable ? REPEATABLE : ONCE;
      return new ProviderContract(
          like.id(),
          like.kind(),
          like.witnessClass(),
          like.identity(),
          0,
          Duration.ofSeconds(1),
          null,
          repeatable,
          like.onNestedRefused(),
          like.disclosure(),
          like.validity(),
          1024);
    }
  }

  @Nested
  class Waiting {

    @Test
    void looksWhenItIsTimeAndNotSoonerThanASecond() {
      route(REPEATABLE);
      asked("ask").says(waiting(Duration.ZERO));
      RouteRecord out = awaitRow(RouteState.REQUESTED);
      assertThat(out.reference()).isEqualTo("ref");
      assertThat(out.nextAt()).isEqualTo(world.clock.instant().plusSeconds(1));
      reports.awaitAssert(() -> assertThat(reports.receiveMessage().underWay()).isFalse());
      pass(Duration.ofSeconds(1));
      Asked look = asked("look ref");
      look.says(approves(look));
      awaitRow(RouteState.ANSWERED);
    }

    @Test
    void looksAtOnceWhenItIsPoked() {
      ActorRef<WitnessRouteActor.Message> actor = route(REPEATABLE);
      asked("ask").says(waiting(null));
      assertThat(awaitRow(RouteState.REQUESTED).nextAt()).isNull();
      world.store.overwrite(key(), row -> row.in(row.state(), null, world.clock.instant()));
      actor.tell(new Stands(call.facts(), true));
      Asked look = asked("look ref");
      // poked again while it looked: what it saw may be of before
      world.store.overwrite(key(), row -> row.in(row.state(), null, world.clock.instant()));
      look.says(waiting(null));
      Asked second = asked("look ref");
      second.says(approves(second));
      awaitRow(RouteState.ANSWERED);
    }

    @Test
    void anAnswerIsKeptThatCameDuringAPoke() {
      ActorRef<WitnessRouteActor.Message> actor = route(REPEATABLE);
      asked("ask").says(waiting(null));
      awaitRow(RouteState.REQUESTED);
      world.store.overwrite(key(), row -> row.in(row.state(), null, world.clock.instant()));
      actor.tell(new Stands(call.facts(), true));
      Asked look = asked("look ref");
      world.store.overwrite(key(), row -> row.in(row.state(), null, world.clock.instant()));
      look.says(approves(look));
      awaitRow(RouteState.ANSWERED);
      assertThat(world.provider.asked).isEmpty();
    }

    @Test
    void remindsOnceAndWhateverComesOfIt() {
      world.provider.remindBefore = List.of(Duration.ofMinutes(5), Duration.ofMinutes(1));
      route(REPEATABLE);
      asked("ask").says(waiting(null));
      assertThat(awaitRow(RouteState.REQUESTED).nextAt())
          .isEqualTo(CoreFixtures.START.plusSeconds(300));
      reports.awaitAssert(() -> assertThat(reports.receiveMessage().underWay()).isFalse());
      pass(Duration.ofMinutes(5));
      await().until(() -> row().reminded() == 1);
      assertThat(world.provider.reminded).containsExactly("ref");
      asked("look ref").says(waiting(null));
      await().until(() -> CoreFixtures.START.plusSeconds(540).equals(row().nextAt()));
    }

    @Test
    void losesItsPatience() {
      route(ONCE);
      asked("ask").says(waiting(null));
      assertThat(awaitRow(RouteState.REQUESTED).nextAt())
          .isEqualTo(CoreFixtures.START.plus(PATIENCE));
      reports.awaitAssert(() -> assertThat(reports.receiveMessage().underWay()).isFalse());
      pass(PATIENCE);
      RouteRecord row = awaitRow(RouteState.UNAVAILABLE);
      assertThat(row.note()).isEqualTo("no answer within 1h");
      assertThat(row.nextAt()).isNull();
    }
  }

  @Nested
  class AfterAnIncarnationThatDiedAsking {

    private void asking() {
      RouteRecord wanted =
          RouteRecord.wanted(
              key(),
              "acme",
              "transfer",
              Objects.requireNonNull(call.contractDigest()),
              CoreFixtures.START);
      world.store.all.put(key(), wanted.asking(CoreFixtures.START, CoreFixtures.START));
    }

    @Test
    void asksAgainUnderTheSameIdWhereThatIsHarmless() {
      asking();
      route(REPEATABLE);
      pass(Duration.ofSeconds(11));
      assertThat(asked("ask").requestId()).isEqualTo(row().requestId());
      assertThat(row().attempts()).isEqualTo(2);
    }

    @Test
    void findsOutWhereItIsNot() {
      asking();
      route(ONCE);
      pass(TIMEOUT.plus(SETTLE));
      asked("recover").says(new WitnessAnswer.InDoubt("not known"));
      assertThat(awaitRow(RouteState.IN_DOUBT).note())
          .isEqualTo("the node ended while it was asking; not known");
    }

    @Test
    void goesOnFromWhatItFindsOut() {
      asking();
      route(ONCE);
      pass(TIMEOUT.plus(SETTLE));
      asked("recover").says(waiting(null));
      awaitRow(RouteState.REQUESTED);
    }

    @Test
    void asksNobodyWhoseWordIsOnRecord() {
      asking();
      call.attest(ONCE.identity(), word(row().requestId(), AttestationDecision.APPROVE));
      route(ONCE);
      awaitRow(RouteState.ANSWERED);
      assertThat(world.provider.asked).isEmpty();
    }
  }

  @Nested
  class WhenItIsNoLongerWanted {

    @Test
    void endsAtOnceIfNothingIsUnderWay() {
      ActorRef<WitnessRouteActor.Message> actor = route(REPEATABLE);
      asked("ask").says(new WitnessAnswer.Deferred("no"));
      awaitRow(RouteState.DEFERRED);
      actor.tell(new Retire());
      KIT.createTestProbe().expectTerminated(actor);
    }

    @Test
    void keepsTheNameOfARequestThatWentOutMeanwhile() {
      ActorRef<WitnessRouteActor.Message> actor = route(REPEATABLE);
      Asked question = asked("ask");
      actor.tell(new Retire());
      world.store.overwrite(key(), row -> row.in(RouteState.WITHDRAWN, "cancelled", null));
      question.says(waiting(null));
      KIT.createTestProbe().expectTerminated(actor);
      assertThat(row().state()).isEqualTo(RouteState.UNWANTED);
      assertThat(row().reference()).isEqualTo("ref");
      assertThat(row().note()).isEqualTo("cancelled");
      assertThat(row().nextAt()).isNotNull();
    }

    @Test
    void keepsThatNameAlsoOverADatabaseThatIsDown() {
      ActorRef<WitnessRouteActor.Message> actor = route(REPEATABLE);
      Asked question = asked("ask");
      actor.tell(new Retire());
      world.store.overwrite(key(), row -> row.in(RouteState.WITHDRAWN, "cancelled", null));
      world.store.fails(3);
      question.says(waiting(null));
      TestProbe<Object> probe = KIT.createTestProbe();
      await()
          .until(
              () -> {
                pass(Duration.ofSeconds(2));
                return row().state() == RouteState.UNWANTED;
              });
      probe.expectTerminated(actor);
      assertThat(row().reference()).isEqualTo("ref");
    }

    @Test
    void saysThatItAnsweredThoughTheCallIsDecided() {
      ActorRef<WitnessRouteActor.Message> actor = route(REPEATABLE);
      Asked question = asked("ask");
      actor.tell(new Retire());
      world.store.overwrite(key(), row -> row.in(RouteState.WITHDRAWN, "released", null));
      question.says(approves(question));
      KIT.createTestProbe().expectTerminated(actor);
      assertThat(row().state()).isEqualTo(RouteState.ANSWERED);
    }
  }

  @Nested
  class WhenTheContractChanges {

    @Test
    void takesTheOldRequestBackAndAsksAnew() {
      ActorRef<WitnessRouteActor.Message> actor = route(REPEATABLE);
      String first = asked("ask").requestId();
      world.store.overwrite(key(), row -> row.under("ref").in(RouteState.REQUESTED, null, null));
      actor.tell(new Stands(call.facts(), true));
      call.adopt(CoreFixtures.demand("human & ci", "{'expires_s': 300}")).tick();
      world.provider.deafToWithdrawals.set(1);
      ActorRef<WitnessRouteActor.Message> next = route(REPEATABLE);
      await()
          .until(
              () -> {
                pass(Duration.ofSeconds(1));
                return !world.provider.withdrawn.isEmpty();
              });
      assertThat(asked("ask").requestId()).isEqualTo(first + ".r2");
      assertThat(world.provider.withdrawn.poll().requestId()).isEqualTo(first);
      assertThat(row().contractDigest()).isEqualTo(call.contractDigest());
      KIT.stop(actor);
      KIT.stop(next);
    }
  }

  @Nested
  class WhenSomethingDoesNotAnswer {

    @Test
    void asksNobodyWhileTheDatabaseDoesNotKnowIt() {
      world.store.fails(3);
      route(REPEATABLE);
      for (int i = 0; i < 3; i++) {
        assertThat(world.provider.asked).isEmpty();
        pass(Duration.ofSeconds(2));
      }
      await()
          .until(
              () -> {
                pass(Duration.ofSeconds(2));
                return !world.provider.asked.isEmpty();
              });
    }

    @Test
    void doesNotAskAgainBecauseTheAnswerCouldNotBeWritten() {
      route(ONCE);
      Asked question = asked("ask");
      world.store.fails(2);
      question.says(approves(question));
      await()
          .until(
              () -> {
                pass(Duration.ofSeconds(2));
                return row().state() == RouteState.ANSWERED;
              });
      assertThat(world.provider.asked).isEmpty();
    }

    @Test
    void handsInAgainWhileTheVerifierDoesNotAnswer() {
      world.desk.says(Disposition.UNAVAILABLE, "starting");
      route(REPEATABLE);
      Asked question = asked("ask");
      question.says(approves(question));
      await().until(() -> world.desk.attested.size() == 1);
      await()
          .until(
              () -> {
                pass(Duration.ofSeconds(2));
                return world.desk.attested.size() == 2;
              });
      awaitRow(RouteState.ANSWERED);
    }

    @Test
    void showsWhyTheVerifierRefused() {
      world.desk.says(Disposition.STALE, "another generation");
      world.desk.says(Disposition.INVALID, "not independent");
      route(REPEATABLE);
      Asked question = asked("ask");
      question.says(
          new WitnessAnswer.Attested(
              List.of(
                  word(question.requestId(), AttestationDecision.APPROVE),
                  word(question.requestId() + ".b", AttestationDecision.APPROVE))));
      assertThat(awaitRow(RouteState.REFUSED).note())
          .isEqualTo("refused: another generation; not independent");
    }

    @Test
    void takesItsOwnWordOnRecordForAnswered() {
      route(REPEATABLE);
      Asked question = asked("ask");
      call.attest(REPEATABLE.identity(), word(question.requestId(), AttestationDecision.APPROVE));
      Objects.requireNonNull(last).tell(new Stands(call.facts(), false));
      world.desk.says(Disposition.INVALID, "another content was accepted");
      question.says(approves(question));
      awaitRow(RouteState.ANSWERED);
    }
  }

  @Nested
  class WithACallOfItsOwn {

    private WitnessAnswer asks() {
      return new WitnessAnswer.Nested("c-1", "transfer", CoreFixtures.json("{'amount': 1}"));
    }

    private RouteWorld.Desk.Wish wish() throws InterruptedException {
      return Objects.requireNonNull(
          world.desk.wishes.poll(30, java.util.concurrent.TimeUnit.SECONDS));
    }

    private void settled(ActorRef<WitnessRouteActor.Message> actor, String child) {
      call.run(new HeldCallCommand.AnnounceChild(child));
      call.run(
          new HeldCallCommand.ReportDependency(
              child, DependencyState.SATISFIED, true, "concluded"));
      actor.tell(new Stands(call.facts(), false));
    }

    @Test
    void waitsForItAndIsToldWhatCameOfIt() throws InterruptedException {
      LiveCall child = LiveCalls.admitted();
      String childId = child.facts().requireSpec().heldId();
      ActorRef<WitnessRouteActor.Message> actor = route(REPEATABLE);
      Asked question = asked("ask");
      question.says(asks());
      RouteWorld.Desk.Wish wish = wish();
      assertThat(wish.requestId()).isEqualTo(question.requestId());
      wish.answer().complete(new WitnessDesk.Proposed("hc_child", null));
      assertThat(awaitRow(RouteState.NESTED).reference()).isEqualTo("hc_child");
      world.desk.calls.put("hc_child", child.facts());
      settled(actor, "hc_child");
      Asked told = asked("nested " + childId);
      // told again, and not asked how a request stands that it never made
      told.says(down());
      await().until(() -> "connection refused".equals(row().note()));
      assertThat(row().state()).isEqualTo(RouteState.NESTED);
      await()
          .until(
              () -> {
                pass(Duration.ofSeconds(1));
                return !world.provider.asked.isEmpty();
              });
      Asked again = asked("nested " + childId);
      again.says(approves(again));
      awaitRow(RouteState.ANSWERED);
    }

    @Test
    void deniesWhenItIsRefusedIfItsContractSaysSo() throws InterruptedException {
      route(REPEATABLE);
      asked("ask").says(asks());
      wish().answer().complete(new WitnessDesk.Proposed(null, "no capability"));
      awaitRow(RouteState.ANSWERED);
      Attestation denial = Objects.requireNonNull(world.desk.attested.poll());
      assertThat(denial.decision()).isEqualTo(AttestationDecision.DENY);
      assertThat(denial.reason()).isEqualTo("its own governed call was refused: no capability");
    }

    @Test
    void isUnavailableWhenItIsRefusedIfItsContractSaysSo() throws InterruptedException {
      ActorRef<WitnessRouteActor.Message> actor = route(ONCE);
      asked("ask").says(asks());
      wish().answer().complete(new WitnessDesk.Proposed("hc_child", null));
      awaitRow(RouteState.NESTED);
      world.desk.calls.put("hc_child", LiveCalls.cancelled().facts());
      settled(actor, "hc_child");
      RouteRecord row = awaitRow(RouteState.UNAVAILABLE);
      assertThat(row.note())
          .isEqualTo("its own governed call was refused: it is cancelled: no longer wanted");
      assertThat(row.nextAt()).isNull();
      assertThat(row.reference()).isNull();
      assertThat(world.desk.attested).isEmpty();
    }

    @Test
    void isProposedAgainWhileTheKernelDoesNotAnswer() throws InterruptedException {
      route(ONCE);
      asked("ask").says(asks());
      wish().answer().completeExceptionally(new IllegalStateException("starting"));
      await()
          .until(
              () -> {
                pass(Duration.ofSeconds(2));
                return !world.desk.wishes.isEmpty();
              });
      wish().answer().complete(new WitnessDesk.Proposed("hc_child", null));
      awaitRow(RouteState.NESTED);
      assertThat(world.provider.asked).isEmpty();
    }

    @Test
    void losesItsPatienceWithIt() throws InterruptedException {
      route(ONCE);
      asked("ask").says(asks());
      wish().answer().complete(new WitnessDesk.Proposed("hc_child", null));
      assertThat(awaitRow(RouteState.NESTED).nextAt()).isEqualTo(CoreFixtures.START.plus(PATIENCE));
      reports.awaitAssert(() -> assertThat(reports.receiveMessage().underWay()).isFalse());
      pass(PATIENCE);
      assertThat(awaitRow(RouteState.UNAVAILABLE).reference()).isNull();
      assertThat(world.desk.cancelled)
          .containsExactly("hc_child: its own call did not end within 1h");
    }

    @Test
    void takesItBackWhenTheContractChanges() throws InterruptedException {
      ActorRef<WitnessRouteActor.Message> actor = route(ONCE);
      asked("ask").says(asks());
      wish().answer().complete(new WitnessDesk.Proposed("hc_child", null));
      awaitRow(RouteState.NESTED);
      call.adopt(CoreFixtures.demand("human & ci", "{'expires_s': 300}")).tick();
      actor.tell(new Stands(call.facts(), false));
      assertThat(asked("ask").requestId()).endsWith(".r2");
      assertThat(world.desk.cancelled)
          .containsExactly("hc_child: the request was replaced by a newer one");
      assertThat(world.provider.withdrawn).isEmpty();
    }
  }
}
