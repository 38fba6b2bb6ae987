package dev.heldcall.plugin.api.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What every witness provider is held to, whatever it asks and whoever answers. A provider's test
 * extends it, starts the other side, and says how to make it behave; what it does not override is
 * the same for all. The promises are those of {@link WitnessProvider}.
 *
 * <p>It is over the usual size so that all the promises are on one page.
 */
public abstract class WitnessProviderKit {

  private static final Duration PATIENT = Duration.ofSeconds(10);

  /** Long enough for a busy machine to begin, short enough to be waited for. */
  private static final Duration SHORT = Duration.ofMillis(500);

  /** How long the kit waits for what must come by itself, in seconds. */
  private static final int KIT_WAITS = 30;

  private static final int AT_ONCE = 16;

  private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();

  /** The kind under test, made anew. */
  protected abstract WitnessProviderType type();

  /**
   * Makes the other side behave so, from now on.
   *
   * @return settings of a provider that asks it; empty if a provider of this kind has no other side
   *     that could behave so
   */
  protected abstract Optional<ObjectNode> settings(OtherSide side) throws Exception;

  /** Arguments of a call that an other side that behaves well has an answer to. */
  protected abstract JsonNode args() throws Exception;

  /** Top-level keys of the settings, and for each a value that is wrong there. */
  protected abstract Map<String, JsonNode> mistakes();

  /** What is in the settings and must never be shown; the kit looks for it in every reason. */
  protected List<String> secrets() {
    return List.of();
  }

  /** Whether an other side that behaves well is asked and answers in one, with an attestation. */
  protected boolean answersAtOnce() {
    return true;
  }

  /** Whether what the other side answers with is read, so that garbage is noticed. */
  protected boolean readsAnswers() {
    return true;
  }

  /** What the other side posts to answer a request; empty if it answers in no such way. */
  protected Optional<IncomingMessage> posted(WitnessRequest request, AttestationDecision decision)
      throws Exception {
    return Optional.empty();
  }

  @Test
  void isFoundByItsKind() {
    List<String> kinds = new ArrayList<>();
    ServiceLoader.load(WitnessProviderType.class).forEach(each -> kinds.add(each.kind()));
    assertThat(kinds).contains(type().kind()).doesNotHaveDuplicates();
    assertThat(type().kind()).matches("[a-z][a-z0-9]*(-[a-z0-9]+)*");
  }

  @TestFactory
  Stream<DynamicTest> answersByItselfWhateverTheOtherSideDoes() throws Exception {
    return eachSide(
        side -> {
          try (WitnessProvider provider = provider(side)) {
            for (Disclosure disclosure : Disclosure.values()) {
              WitnessAnswer answer = answer(provider.ask(request(disclosure)));
              assertNothingLeaks(answer);
              if (side != OtherSide.WELL) {
                assertThat(answer).isNotInstanceOf(WitnessAnswer.Attested.class);
              }
              if (side == OtherSide.GARBLES && readsAnswers()) {
                assertThat(answer)
                    .isInstanceOfAny(WitnessAnswer.Unavailable.class, WitnessAnswer.Deferred.class);
              }
            }
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> looksRemindsAndWithdrawsAsOftenAsItIsTold() throws Exception {
    return eachSide(
        side -> {
          try (WitnessProvider provider = provider(side)) {
            WitnessRequest request = request(Disclosure.FULL);
            String reference =
                answer(provider.ask(request)) instanceof WitnessAnswer.Waiting waiting
                    ? waiting.reference()
                    : request.requestId();
            for (int i = 0; i < 2; i++) {
              assertNothingLeaks(answer(provider.look(request, reference)));
              done(provider.remind(request, reference), side);
              done(provider.withdraw(withdrawal(request, reference)), side);
            }
            assertNothingLeaks(answer(provider.recover(request)));
          }
        });
  }

  private void done(CompletionStage<Void> stage, OtherSide side) {
    CompletableFuture<Void> done = stage.toCompletableFuture();
    CompletableFuture<Void> awaited = done.copy().orTimeout(KIT_WAITS, TimeUnit.SECONDS);
    Throwable failure = catchThrowable(awaited::join);
    assertThat(done).isDone();
    if (side == OtherSide.WELL) {
      assertThat(failure).isNull();
    } else if (failure != null) {
      secrets().forEach(secret -> assertThat(failure.toString()).doesNotContain(secret));
    }
  }

  @Test
  void attestsExactlyWhatItWasAsked() throws Exception {
    WitnessRequest request = request(Disclosure.FULL);
    try (WitnessProvider provider = provider(OtherSide.WELL)) {
      WitnessAnswer answer = answer(provider.ask(request));
      if (answersAtOnce()) {
        attested(answer).forEach(each -> assertBound(each, request));
      } else {
        assertThat(answer).isInstanceOf(WitnessAnswer.Waiting.class);
      }
    }
  }

  @Test
  void isOneAttestationHoweverOftenItIsAsked() throws Exception {
    WitnessRequest request = request(Disclosure.FULL);
    try (WitnessProvider provider = provider(OtherSide.WELL);
        WitnessProvider restarted = provider(OtherSide.WELL)) {
      WitnessAnswer first = answer(provider.ask(request));
      // One that must not be asked twice finds out what came of the first time, as the kernel has
      // it.
      WitnessAnswer second =
          answer(type().repeatable() ? restarted.ask(request) : restarted.recover(request));
      if (answersAtOnce()) {
        assertThat(attested(second).stream().map(Attestation::attestationId))
            .containsExactlyElementsOf(
                attested(first).stream().map(Attestation::attestationId).toList());
      } else {
        assertThat(second).isEqualTo(first);
      }
    }
  }

  @Test
  void isAskedByManyAtOnce() throws Exception {
    WitnessRequest request = request(Disclosure.FULL);
    try (WitnessProvider provider = provider(OtherSide.WELL)) {
      List<CompletableFuture<WitnessAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        answers.add(
            CompletableFuture.supplyAsync(() -> provider.ask(request), threads)
                .thenCompose(stage -> stage));
      }
      List<WitnessAnswer> all = answers.stream().map(this::answer).toList();
      assertThat(all)
          .anyMatch(
              each ->
                  answersAtOnce()
                      ? each instanceof WitnessAnswer.Attested
                      : each instanceof WitnessAnswer.Waiting);
      for (WitnessAnswer each : all) {
        assertNothingLeaks(each);
        if (each instanceof WitnessAnswer.Attested(List<Attestation> attestations)) {
          attestations.forEach(one -> assertBound(one, request));
        }
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> takesInWhatTheOtherSidePostsOnce() throws Exception {
    List<DynamicTest> tests = new ArrayList<>();
    WitnessRequest request = request(Disclosure.FULL);
    for (AttestationDecision decision : AttestationDecision.values()) {
      Optional<IncomingMessage> posted = posted(request, decision);
      if (posted.isPresent()) {
        tests.add(
            DynamicTest.dynamicTest(
                decision.wireName(), () -> assertTakenIn(request, decision, posted.get())));
      }
    }
    return tests.stream();
  }

  private void assertTakenIn(
      WitnessRequest request, AttestationDecision decision, IncomingMessage message)
      throws Exception {
    try (WitnessProvider provider = provider(OtherSide.WELL);
        WitnessProvider restarted = provider(OtherSide.WELL)) {
      IncomingWitness.Vote vote = vote(provider.incoming(message));
      assertThat(vote.heldId()).isEqualTo(request.heldId());
      assertThat(vote.attestation().decision()).isEqualTo(decision);
      assertBinding(vote.attestation(), request);
      IncomingWitness.Vote again = vote(restarted.incoming(message));
      assertThat(again.attestation().attestationId()).isEqualTo(vote.attestation().attestationId());
      assertThat(again.witness()).isEqualTo(vote.witness());
      for (IncomingWitness.Disposition each : IncomingWitness.Disposition.values()) {
        assertThat(vote.reply().apply(new IncomingWitness.VoteOutcome(each, "why")).status())
            .satisfiesAnyOf(
                status -> assertThat(status).isBetween(200, 499),
                status -> assertThat(status).isEqualTo(503));
      }
      byte[] body = message.body();
      body[body.length / 2] ^= 1;
      assertNotBelieved(provider.incoming(new IncomingMessage(message.headers(), body)));
    }
  }

  private static IncomingWitness.Vote vote(IncomingWitness incoming) {
    assertThat(incoming).isInstanceOf(IncomingWitness.Vote.class);
    return (IncomingWitness.Vote) incoming;
  }

  @Test
  void believesNoMessageWithoutASignature() throws Exception {
    WitnessRequest request = request(Disclosure.FULL);
    byte[] flood = new byte[1024 * 1024];
    Arrays.fill(flood, (byte) '[');
    List<byte[]> bodies = new ArrayList<>(List.of(new byte[0], new byte[] {0, -1, -2}, flood));
    bodies.add("{\"decision\":\"approve\"}".getBytes(StandardCharsets.UTF_8));
    for (AttestationDecision decision : AttestationDecision.values()) {
      posted(request, decision).ifPresent(each -> bodies.add(each.body()));
    }
    try (WitnessProvider provider = provider(OtherSide.WELL)) {
      for (byte[] body : bodies) {
        assertNotBelieved(provider.incoming(new IncomingMessage(Map.of(), body)));
        assertNotBelieved(
            provider.incoming(
                new IncomingMessage(Map.of("Content-Type", List.of("application/json")), body)));
      }
    }
  }

  /** Refused at once, or signed in itself, so that the kernel's verifier checks it. */
  private static void assertNotBelieved(IncomingWitness incoming) {
    if (incoming instanceof IncomingWitness.Vote vote) {
      assertThat(vote.attestation().signature()).isNotNull();
      return;
    }
    assertThat(incoming).isInstanceOf(IncomingWitness.Answered.class);
    assertThat(((IncomingWitness.Answered) incoming).reply().status()).isBetween(400, 499);
    assertThat(((IncomingWitness.Answered) incoming).reply().body()).isNotEmpty();
  }

  @Test
  void isClosedMoreThanOnceAndThenAnswersStill() throws Exception {
    WitnessProvider provider = provider(OtherSide.WELL);
    assertThatCode(
            () -> {
              provider.close();
              provider.close();
            })
        .doesNotThrowAnyException();
    assertNothingLeaks(answer(provider.ask(request(Disclosure.FULL))));
  }

  @Test
  void answersWhenTheNodeTakesNoWork() throws Exception {
    ProviderServices stopping =
        new ProviderServices(
            () -> SampleRequests.NOW,
            work -> {
              throw new RejectedExecutionException("the node is stopping");
            });
    ObjectNode settings = settings(OtherSide.WELL).orElseThrow();
    try (WitnessProvider provider = create(settings, SHORT, stopping)) {
      assertNothingLeaks(answer(provider.ask(request(Disclosure.FULL))));
    }
  }

  @Test
  void remindsInOrder() throws Exception {
    try (WitnessProvider provider = provider(OtherSide.WELL)) {
      assertThat(provider.remindBefore())
          .hasSizeLessThanOrEqualTo(8)
          .allMatch(Duration::isPositive)
          .doesNotHaveDuplicates()
          .isSortedAccordingTo(Comparator.reverseOrder());
    }
  }

  @TestFactory
  Stream<DynamicTest> namesMistakesInItsSettings() throws Exception {
    ObjectNode right = settings(OtherSide.WELL).orElseThrow();
    List<DynamicTest> tests = new ArrayList<>();
    tests.add(mistake("no object", JsonNodeFactory.instance.textNode("x"), "settings"));
    ObjectNode unknown = right.deepCopy().put("no-such-key", 1);
    tests.add(mistake("an unknown key", unknown, "no-such-key"));
    mistakes()
        .forEach(
            (key, value) -> {
              ObjectNode wrong = right.deepCopy();
              wrong.set(key, value);
              tests.add(mistake(key + " = " + value, wrong, key));
            });
    return tests.stream();
  }

  private DynamicTest mistake(String name, JsonNode settings, String key) {
    return DynamicTest.dynamicTest(
        name,
        () -> {
          Throwable refusal = catchThrowable(() -> create(settings, PATIENT, services()).close());
          assertThat(refusal).isInstanceOf(InvalidProviderSettings.class);
          InvalidProviderSettings invalid = (InvalidProviderSettings) refusal;
          assertThat(invalid.path()).matches(key + "([.].*)?");
          assertThat(invalid.expected()).isNotBlank();
          secrets().forEach(secret -> assertThat(invalid.toString()).doesNotContain(secret));
        });
  }

  private interface OnSide {
    void run(OtherSide side) throws Exception;
  }

  private Stream<DynamicTest> eachSide(OnSide test) throws Exception {
    List<DynamicTest> tests = new ArrayList<>();
    for (OtherSide side : OtherSide.values()) {
      if (settings(side).isPresent()) {
        tests.add(DynamicTest.dynamicTest(side.name(), () -> test.run(side)));
      }
    }
    return tests.stream();
  }

  private WitnessProvider provider(OtherSide side) throws Exception {
    return create(
        settings(side).orElseThrow(), side == OtherSide.HANGS ? SHORT : PATIENT, services());
  }

  private ProviderServices services() {
    return new ProviderServices(() -> SampleRequests.NOW, threads);
  }

  private WitnessProvider create(JsonNode settings, Duration timeout, ProviderServices services)
      throws InvalidProviderSettings {
    WitnessProviderType type = type();
    return type.create(
        SampleRequests.contract(type.kind(), type.repeatable(), timeout), settings, services);
  }

  private WitnessRequest request(Disclosure disclosure) throws Exception {
    return SampleRequests.of(args(), disclosure);
  }

  private static WitnessWithdrawal withdrawal(WitnessRequest request, String reference) {
    return new WitnessWithdrawal(
        request.requestId(), request.heldId(), request.tool(), reference, "it is decided");
  }

  /** The answer, which comes by itself; a stage that fails fails the test. */
  private WitnessAnswer answer(CompletionStage<WitnessAnswer> stage) {
    WitnessAnswer answer =
        stage.toCompletableFuture().copy().orTimeout(KIT_WAITS, TimeUnit.SECONDS).join();
    assertThat(answer).isNotNull();
    return answer;
  }

  private static List<Attestation> attested(WitnessAnswer answer) {
    assertThat(answer).isInstanceOf(WitnessAnswer.Attested.class);
    return ((WitnessAnswer.Attested) answer).attestations();
  }

  private static void assertBound(Attestation attestation, WitnessRequest request) {
    assertBinding(attestation, request);
    String id = request.requestId();
    assertThat(attestation.attestationId())
        .satisfiesAnyOf(
            each -> assertThat(each).isEqualTo(id), each -> assertThat(each).startsWith(id + "."));
    assertThat(attestation.expiresAt())
        .isEqualTo(attestation.issuedAt().plus(SampleRequests.VALIDITY));
  }

  private static void assertBinding(Attestation attestation, WitnessRequest request) {
    assertThat(attestation.generation()).isEqualTo(request.generation());
    assertThat(attestation.callDigest()).isEqualTo(request.callDigest());
    assertThat(attestation.contractDigest()).isEqualTo(request.contractDigest());
    assertThat(attestation.witnessClass()).isEqualTo(request.witnessClass());
    assertThat(attestation.issuedAt()).isBeforeOrEqualTo(SampleRequests.NOW);
    assertThat(attestation.expiresAt())
        .isBetween(SampleRequests.NOW, SampleRequests.NOW.plus(SampleRequests.VALIDITY));
  }

  private void assertNothingLeaks(WitnessAnswer answer) {
    switch (answer) {
      case WitnessAnswer.Deferred(String reason) -> assertThat(reason).isNotBlank();
      case WitnessAnswer.Unavailable(String reason, boolean again) ->
          assertThat(reason).as("again: %s", again).isNotBlank();
      case WitnessAnswer.InDoubt(String reason) -> assertThat(reason).isNotBlank();
      case WitnessAnswer.Attested _, WitnessAnswer.Waiting _, WitnessAnswer.Nested _ -> {}
    }
    secrets().forEach(secret -> assertThat(answer.toString()).doesNotContain(secret));
  }
}
