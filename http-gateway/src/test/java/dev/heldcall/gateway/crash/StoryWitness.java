package dev.heldcall.gateway.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.NestedOutcome;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.WitnessRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A witness that the story's node asks, of the kind {@code story}. Its setting {@code says} is what
 * it answers: {@code approve}; {@code wait}, and it waits for ever; {@code fail}, and it approves
 * only when the node finds out what became of the request; {@code nest}, and it approves once a
 * call of its own has run.
 */
final class StoryWitness implements WitnessProvider {

  /** Its kind. */
  public static final class Type implements WitnessProviderType {

    /** For the service loader. */
    public Type() {}

    @Override
    public String kind() {
      return "story";
    }

    @Override
    public boolean repeatable() {
      return true;
    }

    @Override
    public WitnessProvider create(
        ProviderContract contract, JsonNode settings, ProviderServices services) {
      return new StoryWitness(contract, settings.path("says").asText(), services);
    }
  }

  private final ProviderContract contract;
  private final String says;
  private final ProviderServices services;

  private StoryWitness(ProviderContract contract, String says, ProviderServices services) {
    this.contract = contract;
    this.says = says;
    this.services = services;
  }

  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    return switch (says) {
      case "wait" -> waits(request.requestId());
      case "nest" ->
          CompletableFuture.completedFuture(
              new WitnessAnswer.Nested(
                  "check", "again", JsonNodeFactory.instance.objectNode().put("of", "witness")));
      case "fail" -> CompletableFuture.failedFuture(new java.io.IOException("nobody knows"));
      default -> approves(request);
    };
  }

  private static CompletionStage<WitnessAnswer> waits(String reference) {
    return CompletableFuture.completedFuture(
        new WitnessAnswer.Waiting(reference, Duration.ofSeconds(1), null));
  }

  private CompletionStage<WitnessAnswer> approves(WitnessRequest request) {
    return CompletableFuture.completedFuture(
        WitnessAnswer.Attested.of(
            request.attest(
                "",
                AttestationDecision.APPROVE,
                null,
                null,
                null,
                services.clock().instant(),
                contract.validity())));
  }

  @Override
  public CompletionStage<WitnessAnswer> look(WitnessRequest request, String reference) {
    return waits(reference);
  }

  @Override
  public CompletionStage<WitnessAnswer> recover(WitnessRequest request) {
    return approves(request);
  }

  @Override
  public CompletionStage<WitnessAnswer> nested(WitnessRequest request, NestedOutcome outcome) {
    return approves(request);
  }

  /** One second into the ten minutes that a call of the story may last. */
  @Override
  public List<Duration> remindBefore() {
    return List.of(Duration.ofSeconds(599));
  }

  @Override
  public IncomingWitness incoming(IncomingMessage message) {
    return new IncomingWitness.Poke(
        new String(message.body(), UTF_8).replace("\"", ""),
        IncomingReply.json(202, JsonNodeFactory.instance.objectNode()));
  }

  @Override
  public void close() {}
}
