package dev.heldcall.kernel.policybook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.heldcall.kernel.codec.KernelSerialization;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.policybook.PolicyBookEntity.AdoptFloor;
import dev.heldcall.kernel.policybook.PolicyBookEntity.Applied;
import dev.heldcall.kernel.policybook.PolicyBookEntity.ChangeDocument;
import dev.heldcall.kernel.policybook.PolicyBookEntity.ChangeReply;
import dev.heldcall.kernel.policybook.PolicyBookEntity.Changed;
import dev.heldcall.kernel.policybook.PolicyBookEntity.Command;
import dev.heldcall.kernel.policybook.PolicyBookEntity.FloorState;
import dev.heldcall.kernel.policybook.PolicyBookEntity.LookUp;
import dev.heldcall.kernel.policybook.PolicyBookEntity.LookUpReply;
import dev.heldcall.kernel.policybook.PolicyBookEntity.NotApplied;
import dev.heldcall.kernel.policybook.PolicyBookEntity.SeedDocument;
import dev.heldcall.kernel.policybook.PolicyBookEntity.Seeded;
import dev.heldcall.kernel.policybook.PolicyBookEntity.StaleBase;
import dev.heldcall.kernel.policybook.PolicyBookEntity.Unusable;
import dev.heldcall.kernel.policybook.PolicyBookEvent.DocumentAdopted;
import dev.heldcall.kernel.policybook.PolicyBookEvent.FloorAdopted;
import dev.heldcall.plugin.api.Digest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.persistence.testkit.javadsl.EventSourcedBehaviorTestKit;
import org.apache.pekko.persistence.testkit.javadsl.EventSourcedBehaviorTestKit.CommandResultWithReply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class PolicyBookEntityTest {

  private static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");
  private static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);
  private static final JsonNode ALLOWS = document("ALLOW");
  private static final JsonNode DENIES = document("DENY");
  private static final ActorTestKit KIT =
      ActorTestKit.create(
          KernelSerialization.under(
              ManualTime.config().withFallback(EventSourcedBehaviorTestKit.config())));

  private final TestProbe<ClusterSharding.ShardCommand> shard =
      KIT.createTestProbe(ClusterSharding.ShardCommand.class);

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  private static JsonNode document(String verdict) {
    try {
      return CanonicalJson.canonical(
          new JsonMapper()
              .readTree(
                  """
                  {"rules":[{"id":"r","tools":["t"],"verdict":"%s","when":"args.n >= 1"}]}
                  """
                      .formatted(verdict)));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static Digest floor(String name) {
    return Digests.sha256(name.getBytes(StandardCharsets.UTF_8));
  }

  private EventSourcedBehaviorTestKit<Command, PolicyBookEvent, PolicyBookState> book(String name) {
    return EventSourcedBehaviorTestKit.create(
        KIT.system(),
        PolicyBookEntity.create(name, shard.getRef(), CLOCK),
        EventSourcedBehaviorTestKit.enabledSerializationSettings().withVerifyState(false));
  }

  @Nested
  class TheFloor {

    private final EventSourcedBehaviorTestKit<Command, PolicyBookEvent, PolicyBookState> book =
        book(PolicyBookEntity.FLOOR);

    private CommandResultWithReply<Command, PolicyBookEvent, PolicyBookState, FloorState> adopt(
        Digest floor, boolean alone) {
      return book.runCommand(
          (ActorRef<FloorState> replyTo) -> new AdoptFloor(floor, alone, replyTo));
    }

    @Test
    void isAdoptedWhenItIsTheFirst() {
      var result = adopt(floor("a"), false);

      assertThat(result.events()).containsExactly(new FloorAdopted(1, floor("a"), NOW));
      assertThat(result.reply()).isEqualTo(new FloorState(floor("a"), 1));
    }

    @Test
    void costsNoWriteWhenItIsTheSame() {
      adopt(floor("a"), false);
      var result = adopt(floor("a"), true);

      assertThat(result.hasNoEvents()).isTrue();
      assertThat(result.reply()).isEqualTo(new FloorState(floor("a"), 1));
    }

    @Test
    void ofOneWhoJoinsLaterIsNotAdopted() {
      adopt(floor("a"), true);
      var result = adopt(floor("b"), false);

      assertThat(result.hasNoEvents()).isTrue();
      assertThat(result.reply()).isEqualTo(new FloorState(floor("a"), 1));
    }

    @Test
    void ofOneWhoIsAloneIsANewRevisionAlsoAfterARestart() {
      adopt(floor("a"), true);
      var result = adopt(floor("b"), true);
      book.restart();

      assertThat(result.events()).containsExactly(new FloorAdopted(2, floor("b"), NOW));
      assertThat(result.reply()).isEqualTo(new FloorState(floor("b"), 2));
      assertThat(adopt(floor("a"), false).reply()).isEqualTo(new FloorState(floor("b"), 2));
    }

    @Test
    void takesNoDocument() {
      TestProbe<Object> replies = KIT.createTestProbe();

      var seeded =
          book.runCommand(new SeedDocument(ALLOWS, floor("a"), replies.getRef().unsafeUpcast()));
      assertThat(seeded.hasNoEvents()).isTrue();
      var changed =
          book.runCommand(
              new ChangeDocument("k", 0, ALLOWS, "hc_1", replies.getRef().unsafeUpcast()));
      assertThat(changed.hasNoEvents()).isTrue();
    }
  }

  @Nested
  class AnOrganization {

    private final EventSourcedBehaviorTestKit<Command, PolicyBookEvent, PolicyBookState> book =
        book("acme");

    private CommandResultWithReply<Command, PolicyBookEvent, PolicyBookState, Seeded> seed(
        JsonNode document) {
      return book.runCommand(
          (ActorRef<Seeded> replyTo) ->
              new SeedDocument(document, Digests.ofCanonical(document), replyTo));
    }

    private CommandResultWithReply<Command, PolicyBookEvent, PolicyBookState, ChangeReply> change(
        String key, long expected, JsonNode document) {
      return book.runCommand(
          (ActorRef<ChangeReply> replyTo) ->
              new ChangeDocument(key, expected, document, "hc_1", replyTo));
    }

    private LookUpReply lookUp(String key) {
      CommandResultWithReply<Command, PolicyBookEvent, PolicyBookState, LookUpReply> result =
          book.runCommand((ActorRef<LookUpReply> replyTo) -> new LookUp(key, replyTo));
      assertThat(result.hasNoEvents()).isTrue();
      return result.reply();
    }

    @Test
    void takesTheConfiguredDocumentOnce() {
      var first = seed(ALLOWS);
      var again = seed(ALLOWS);

      assertThat(first.events())
          .containsExactly(
              new DocumentAdopted(
                  1,
                  ALLOWS,
                  PolicyBookEvent.CONFIGURATION,
                  null,
                  Digests.ofCanonical(ALLOWS),
                  NOW));
      assertThat(first.reply()).isEqualTo(new Seeded(1, true));
      assertThat(again.hasNoEvents()).isTrue();
      assertThat(again.reply()).isEqualTo(new Seeded(1, false));
    }

    @Test
    void keepsAGovernedChangeWhileConfigurationStaysAsItWas() {
      seed(ALLOWS);
      change("hc_1.1", 1, DENIES);
      book.restart();
      var again = seed(ALLOWS);

      assertThat(again.hasNoEvents()).isTrue();
      assertThat(again.state().document()).isEqualTo(DENIES);
    }

    @Test
    void takesAnotherConfiguredDocumentAndTheFirstOneAgain() {
      seed(ALLOWS);
      assertThat(seed(DENIES).reply()).isEqualTo(new Seeded(2, true));
      var back = seed(ALLOWS);

      assertThat(back.reply()).isEqualTo(new Seeded(3, true));
      assertThat(back.state().document()).isEqualTo(ALLOWS);
    }

    @Test
    void takesAChangeOnItsCurrentRevision() {
      seed(ALLOWS);
      var result = change("hc_1.1", 1, DENIES);

      assertThat(result.events())
          .containsExactly(new DocumentAdopted(2, DENIES, "hc_1", "hc_1.1", null, NOW));
      assertThat(result.reply()).isEqualTo(new Changed(2));
    }

    @Test
    void refusesAChangeOnAnotherRevision() {
      seed(ALLOWS);
      var behind = change("hc_1.1", 0, DENIES);
      var ahead = change("hc_1.1", 2, DENIES);

      assertThat(behind.hasNoEvents()).isTrue();
      assertThat(behind.reply()).isEqualTo(new StaleBase(1));
      assertThat(ahead.reply()).isEqualTo(new StaleBase(1));
      assertThat(lookUp("hc_1.1")).isEqualTo(new NotApplied());
    }

    @Test
    void answersTheSameChangeAgainAsBeforeHoweverMuchHappenedSince() {
      change("hc_1.1", 0, DENIES);
      change("hc_2.1", 1, ALLOWS);
      book.restart();
      var again = change("hc_1.1", 0, DENIES);

      assertThat(again.hasNoEvents()).isTrue();
      assertThat(again.reply()).isEqualTo(new Changed(1));
      assertThat(again.state().document()).isEqualTo(ALLOWS);
      assertThat(lookUp("hc_1.1")).isEqualTo(new Applied(1));
      assertThat(lookUp("hc_2.1")).isEqualTo(new Applied(2));
      assertThat(lookUp("hc_3.1")).isEqualTo(new NotApplied());
    }

    @Test
    void refusesADocumentThatDoesNotLoadWithThePlace() {
      var result = change("hc_1.1", 0, document("PERHAPS"));

      assertThat(result.hasNoEvents()).isTrue();
      assertThat(result.reply())
          .isInstanceOfSatisfying(
              Unusable.class,
              unusable -> assertThat(unusable.problem()).contains("organization /rules/0/verdict"));
    }

    @Test
    void takesNoFloor() {
      TestProbe<FloorState> replies = KIT.createTestProbe();

      assertThat(book.runCommand(new AdoptFloor(floor("a"), true, replies.getRef())).hasNoEvents())
          .isTrue();
    }
  }

  @Test
  void noOrganizationIsTakenForTheFloor() {
    assertThat(PolicyBookEntity.nameOf("acme")).isEqualTo("acme");
    assertThat(PolicyBookEntity.nameOf("_floor")).isEqualTo("__floor");
    assertThat(PolicyBookEntity.nameOf("__floor")).isEqualTo("___floor");
    assertThat(PolicyBookEntity.persistenceId("acme")).isEqualTo("policy-book|acme");
  }

  @Test
  void asksToBePassivatedAfterTwoIdleMinutesAndStops() {
    var replies = KIT.createTestProbe(LookUpReply.class);
    var idle = KIT.spawn(PolicyBookEntity.create("idle", shard.getRef(), CLOCK));
    idle.tell(new LookUp("k", replies.getRef()));
    replies.expectMessage(new NotApplied());
    ManualTime.get(KIT.system()).timePasses(Duration.ofMinutes(2));

    shard.expectMessageClass(ClusterSharding.Passivate.class);
    PolicyBookEntity.sharded(CLOCK).stopMessage().ifPresent(idle::tell);
    replies.expectTerminated(idle);
  }
}
