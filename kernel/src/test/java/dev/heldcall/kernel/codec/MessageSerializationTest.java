package dev.heldcall.kernel.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.typesafe.config.ConfigFactory;
import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.LiveCalls;
import dev.heldcall.kernel.entity.HeldCallProtocol;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.kernel.entity.HeldCallProtocol.Execute;
import dev.heldcall.kernel.policybook.PolicyBookEntity;
import dev.heldcall.kernel.session.SessionEntity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.serialization.SerializationExtension;
import org.apache.pekko.serialization.jackson.JacksonCborSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything that crosses from node to node comes back equal. A node alone hands messages on as
 * they are, so only this notices what does not survive the way.
 */
class MessageSerializationTest {

  private static final ActorTestKit KIT =
      ActorTestKit.create(KernelSerialization.under(ConfigFactory.empty()));
  private static final TestProbe<CallReply> PROBE = KIT.createTestProbe(CallReply.class);
  private static final HeldCallFacts HELD =
      Objects.requireNonNull(LiveCalls.all().get("held")).facts();

  @AfterAll
  static void stop() {
    KIT.shutdownTestKit();
  }

  static List<HeldCallCommand> commands() {
    return SampleMessages.commands();
  }

  static List<Answer> answers() {
    return SampleMessages.answers();
  }

  static Set<Map.Entry<String, LiveCall>> calls() {
    return LiveCalls.all().entrySet();
  }

  static List<KernelMessage> others() {
    return List.of(
        new HeldCallProtocol.Read(-1, 60_000, PROBE.getRef()),
        new HeldCallProtocol.Wake(),
        new HeldCallProtocol.Watch("hc_a", true),
        new HeldCallProtocol.ParentEnded("hc_p", "cancelled"),
        new HeldCallProtocol.Watched(
            "hc_a", true, false, DependencyState.SATISFIED, "concluded", null));
  }

  static List<KernelMessage> policyBook() {
    return SampleMessages.policyBook(PROBE.getRef());
  }

  static List<KernelMessage> session() {
    return SampleMessages.session(PROBE.getRef());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aCommand(HeldCallCommand command) {
    returns(new Execute(command, 250, PROBE.getRef()));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void anAnswer(Answer answer) {
    returns(new CallReply(7, HELD, answer, SampleEvents.AT));
  }

  @ParameterizedTest
  @MethodSource("calls")
  void factsOfEveryKind(Map.Entry<String, LiveCall> call) {
    HeldCallFacts facts = call.getValue().facts();
    CallReply came =
        returnsAsText(
            new CallReply(facts.events(), facts, new Answer.Stands(), facts.lastEventAt()));
    assertThat(came.facts().evidence().sequencedKeySet())
        .as("the order of evidence")
        .containsExactlyElementsOf(facts.evidence().sequencedKeySet());
  }

  @Test
  void noFactsAtAll() {
    returns(new CallReply(0, HeldCallFacts.NONE, new Answer.Stands(), Instant.EPOCH));
  }

  @ParameterizedTest
  @MethodSource({"others", "policyBook", "session"})
  void whateverElseIsSaid(KernelMessage message) {
    returns(message);
  }

  @Test
  void whatIsAbsentStaysAbsentAndNullStaysNull() {
    assertThat(came(new HeldCallCommand.EditCall(proposer(), 1, null, null)).args()).isNull();
    JsonNode nothing = NullNode.getInstance();
    assertThat(came(new HeldCallCommand.EditCall(proposer(), 1, null, nothing)).args())
        .isSameAs(nothing);
    assertThat(came(new HeldCallCommand.ReportOutcome(proposer(), "ls", true, nothing)).content())
        .isSameAs(nothing);
    assertThat(came(new HeldCallCommand.ResolveOutcome(proposer(), true, null, nothing)).content())
        .isNull();
  }

  @Test
  void aTimeKeepsItsNanoseconds() {
    Instant fine = Instant.parse("2026-03-01T12:00:00.123456789Z");
    assertThat(returns(new CallReply(1, HELD, new Answer.Stands(), fine)).now()).isEqualTo(fine);
  }

  @Test
  void answersFindTheirWayBack() {
    ActorRef<CallReply> back = returns(new HeldCallProtocol.Read(1, 2, PROBE.getRef())).replyTo();
    back.tell(new CallReply(9, HELD, new Answer.Stands(), Instant.EPOCH));
    assertThat(PROBE.receiveMessage().sequence()).isEqualTo(9);
  }

  /** What is a message of the kernel, and what of it has a sample here. */
  @Test
  void everyMessageHasASample() {
    assertThat(commands())
        .extracting(Object::getClass)
        .hasSameElementsAs(leaves(HeldCallCommand.class));
    assertThat(answers()).extracting(Object::getClass).hasSameElementsAs(leaves(Answer.class));
    assertThat(samples(policyBook()))
        .hasSameElementsAs(messages(PolicyBookEntity.class.getDeclaredClasses()));
    assertThat(samples(session()))
        .hasSameElementsAs(messages(SessionEntity.class.getDeclaredClasses()));
    List<Class<?>> protocol = samples(others());
    protocol.add(Execute.class);
    protocol.add(CallReply.class);
    assertThat(protocol).hasSameElementsAs(messages(HeldCallProtocol.class.getDeclaredClasses()));
  }

  private static List<Class<?>> samples(List<? extends KernelMessage> samples) {
    List<Class<?>> classes = new ArrayList<>();
    samples.forEach(each -> classes.add(each.getClass()));
    return classes;
  }

  private static List<Class<?>> messages(Class<?>[] declared) {
    List<Class<?>> messages = new ArrayList<>();
    for (Class<?> each : declared) {
      if (each.isRecord() && KernelMessage.class.isAssignableFrom(each)) {
        messages.add(each);
      }
    }
    return messages;
  }

  private static List<Class<?>> leaves(Class<?> sealed) {
    return Stream.of(sealed.getPermittedSubclasses())
        .flatMap(each -> each.isSealed() ? leaves(each).stream() : Stream.of(each))
        .<Class<?>>map(each -> each)
        .toList();
  }

  private static dev.heldcall.plugin.api.Principal proposer() {
    return HELD.requireSpec().proposer();
  }

  @SuppressWarnings("unchecked") // the command comes back as the class it went as, or not equal
  private static <C extends HeldCallCommand> C came(C command) {
    return (C) returns(new Execute(command, 0, PROBE.getRef())).command();
  }

  private static <M extends KernelMessage> M returns(M message) {
    M came = overTheWire(message);
    assertThat(came).isEqualTo(message);
    return came;
  }

  /** For trees that a test wrote with numbers of another kind than canonical ones. */
  private static <M extends KernelMessage> M returnsAsText(M message) {
    M came = overTheWire(message);
    assertThat(came).hasToString(message.toString());
    return came;
  }

  private static <M extends KernelMessage> M overTheWire(M message) {
    assertThat(SerializationExtension.get(KIT.system()).findSerializerFor(message))
        .isInstanceOf(JacksonCborSerializer.class);
    return KIT.serializationTestKit().verifySerialization(message, false);
  }
}
