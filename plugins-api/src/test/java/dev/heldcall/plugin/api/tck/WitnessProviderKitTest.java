package dev.heldcall.plugin.api.tck;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.WitnessRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The kit sees each breach of a provider that is made to commit it, and none where there is none.
 */
class WitnessProviderKitTest {

  private static final String SECRET = "s3cret";

  private interface Part {
    void run() throws Throwable;
  }

  private static void all(Stream<DynamicTest> tests) throws Throwable {
    for (DynamicTest each : tests.toList()) {
      each.getExecutable().execute();
    }
  }

  private static void everything(WitnessProviderKit kit) throws Throwable {
    for (Part part :
        List.<Part>of(
            kit::attestsExactlyWhatItWasAsked,
            kit::isOneAttestationHoweverOftenItIsAsked,
            kit::isAskedByManyAtOnce,
            kit::believesNoMessageWithoutASignature,
            kit::isClosedMoreThanOnceAndThenAnswersStill,
            kit::answersWhenTheNodeTakesNoWork,
            kit::remindsInOrder,
            () -> all(kit.answersByItselfWhateverTheOtherSideDoes()),
            () -> all(kit.looksRemindsAndWithdrawsAsOftenAsItIsTold()),
            () -> all(kit.namesMistakesInItsSettings()))) {
      part.run();
    }
  }

  @Test
  void aProviderThatKeepsItsWordPasses() {
    assertThatCode(() -> everything(new Kit(null))).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @EnumSource
  void aProviderThatDoesNotFails(Breach breach) {
    assertThatThrownBy(() -> everything(new Kit(breach)))
        .isInstanceOfAny(AssertionError.class, RuntimeException.class);
  }

  /** What a provider can do wrong. */
  private enum Breach {
    THROWS,
    FAILS,
    ANOTHER_CALL,
    ANOTHER_GENERATION,
    ANOTHER_CONTRACT,
    ANOTHER_CLASS,
    ANOTHER_ID,
    A_NEW_ID_EACH_TIME,
    FROM_THE_FUTURE,
    VALID_TOO_LONG,
    APPROVES_WITHOUT_AN_ANSWER,
    TELLS_A_SECRET,
    GIVES_NO_REASON,
    LOOKS_ONCE,
    BELIEVES_ANYTHING,
    CLOSES_ONCE,
    REMINDS_IN_NO_ORDER,
    TAKES_ANY_SETTINGS
  }

  private static final class Kit extends WitnessProviderKit {

    private final AtomicInteger asked = new AtomicInteger();
    private final @Nullable Breach breach;

    Kit(@Nullable Breach breach) {
      this.breach = breach;
    }

    @Override
    protected WitnessProviderType type() {
      return new Type(breach, asked);
    }

    @Override
    protected Optional<ObjectNode> settings(OtherSide side) {
      return Optional.of(JsonNodeFactory.instance.objectNode().put("side", side.name()));
    }

    @Override
    protected JsonNode args() {
      return JsonNodeFactory.instance.objectNode().put("to", "acct-2");
    }

    @Override
    protected Map<String, JsonNode> mistakes() {
      return Map.of("side", JsonNodeFactory.instance.numberNode(7));
    }

    @Override
    protected List<String> secrets() {
      return List.of(SECRET);
    }
  }

  private record Type(@Nullable Breach breach, AtomicInteger asked) implements WitnessProviderType {

    @Override
    public String kind() {
      return "sample";
    }

    @Override
    public boolean repeatable() {
      return true;
    }

    @Override
    public WitnessProvider create(
        ProviderContract contract, JsonNode settings, ProviderServices services)
        throws InvalidProviderSettings {
      if (breach != Breach.TAKES_ANY_SETTINGS) {
        if (!settings.isObject()) {
          throw new InvalidProviderSettings("settings", "an object");
        }
        if (settings.has("no-such-key")) {
          throw new InvalidProviderSettings("no-such-key", "the key side");
        }
        if (!settings.path("side").isTextual()) {
          throw new InvalidProviderSettings("side", "a text");
        }
      }
      return new Provider(breach, asked, settings.path("side").asText());
    }
  }

  private static final class Provider implements WitnessProvider {

    private final @Nullable Breach breach;
    private final AtomicInteger asked;
    private final String side;
    private final AtomicInteger looked = new AtomicInteger();
    private boolean closed;

    Provider(@Nullable Breach breach, AtomicInteger asked, String side) {
      this.breach = breach;
      this.asked = asked;
      this.side = side;
    }

    @Override
    public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
      if (breach == Breach.THROWS) {
        throw new IllegalStateException("not now");
      }
      if (breach == Breach.FAILS) {
        return CompletableFuture.failedFuture(new IllegalStateException("not now"));
      }
      if (!side.equals("WELL") && breach != Breach.APPROVES_WITHOUT_AN_ANSWER) {
        String reason =
            breach == Breach.TELLS_A_SECRET
                ? "Bearer " + SECRET + " was refused"
                : breach == Breach.GIVES_NO_REASON ? " " : "it cannot be asked";
        return CompletableFuture.completedFuture(new WitnessAnswer.Unavailable(reason, true));
      }
      Attestation right =
          request.attest(
              "",
              AttestationDecision.APPROVE,
              "fine",
              null,
              null,
              SampleRequests.NOW,
              SampleRequests.VALIDITY);
      return CompletableFuture.completedFuture(WitnessAnswer.Attested.of(made(right)));
    }

    private Attestation made(Attestation a) {
      boolean late = breach == Breach.FROM_THE_FUTURE;
      return new Attestation(
          switch (breach) {
            case ANOTHER_ID -> "mine";
            case A_NEW_ID_EACH_TIME -> a.attestationId() + "." + asked.incrementAndGet();
            case null, default -> a.attestationId();
          },
          a.generation() + (breach == Breach.ANOTHER_GENERATION ? 1 : 0),
          breach == Breach.ANOTHER_CALL ? a.contractDigest() : a.callDigest(),
          breach == Breach.ANOTHER_CONTRACT ? a.callDigest() : a.contractDigest(),
          breach == Breach.ANOTHER_CLASS ? "human" : a.witnessClass(),
          a.decision(),
          a.reason(),
          a.evidence(),
          late ? a.issuedAt().plusSeconds(1) : a.issuedAt(),
          breach == Breach.VALID_TOO_LONG ? a.expiresAt().plusSeconds(1) : a.expiresAt(),
          null);
    }

    @Override
    public CompletionStage<WitnessAnswer> look(WitnessRequest request, String reference) {
      if (breach == Breach.LOOKS_ONCE && looked.incrementAndGet() > 1) {
        throw new IllegalStateException("looked before");
      }
      return WitnessProvider.super.look(request, reference);
    }

    @Override
    public IncomingWitness incoming(IncomingMessage message) {
      return new IncomingWitness.Answered(
          IncomingReply.text(breach == Breach.BELIEVES_ANYTHING ? 200 : 404, "as you say"));
    }

    @Override
    public List<Duration> remindBefore() {
      return breach == Breach.REMINDS_IN_NO_ORDER
          ? List.of(Duration.ofMinutes(1), Duration.ofHours(1))
          : List.of(Duration.ofHours(1), Duration.ofMinutes(1));
    }

    @Override
    public void close() {
      if (closed && breach == Breach.CLOSES_ONCE) {
        throw new IllegalStateException("closed before");
      }
      closed = true;
    }
  }
}
