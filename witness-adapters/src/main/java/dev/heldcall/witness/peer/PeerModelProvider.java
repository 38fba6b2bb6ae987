package dev.heldcall.witness.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.evidence.CallDocument;
import dev.heldcall.witness.evidence.EvidenceJson;
import dev.heldcall.witness.evidence.ForeignText;
import dev.heldcall.witness.evidence.JsonEndpoint;
import dev.heldcall.witness.evidence.JsonEndpoint.Reply;
import dev.heldcall.witness.evidence.Undecidable;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Attests what a model answers about a call, when it answers exactly as asked. */
final class PeerModelProvider implements WitnessProvider {

  private static final SecureRandom RANDOM = new SecureRandom();

  private final ProviderContract contract;
  private final PeerSettings settings;
  private final ProviderServices services;
  private final Supplier<String> nonces;
  private final JsonEndpoint endpoint;

  PeerModelProvider(
      ProviderContract contract,
      PeerSettings settings,
      ProviderServices services,
      Supplier<String> nonces) {
    this.contract = contract;
    this.settings = settings;
    this.services = services;
    this.nonces = nonces;
    this.endpoint =
        new JsonEndpoint(
            settings.url(), settings.token(), settings.maxAtOnce(), contract, services);
  }

  static String randomNonce() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    String frame;
    try {
      ObjectNode call = CallDocument.of(request, settings.needs());
      if (CallFrame.document(call).length() > settings.maxCall()) {
        throw new Undecidable("the call is longer than is shown to the model (max-call)");
      }
      frame = CallFrame.of(call, nonces.get());
    } catch (Undecidable e) {
      return CompletableFuture.completedFuture(e.answer());
    }
    return endpoint
        .post(ChatRequest.of(settings, frame), request.requestId())
        .thenApply(reply -> answer(request, reply));
  }

  private WitnessAnswer answer(WitnessRequest request, Reply reply) {
    return switch (reply) {
      case Reply.NotAnswered(String why) -> again("the model cannot be asked: " + why);
      case Reply.Answered(JsonNode body) -> judge(request, body);
    };
  }

  private WitnessAnswer judge(WitnessRequest request, JsonNode body) {
    String model = body.path("model").textValue();
    if (model == null || !settings.answeredBy().matches(model)) {
      return again("another model answered than the one that was asked");
    }
    return switch (ChatAnswer.of(body)) {
      case ChatAnswer.Malformed(String why) -> again("the model's answer is malformed: " + why);
      case ChatAnswer.Undecided(String why) -> new WitnessAnswer.Deferred(ForeignText.line(why));
      case ChatAnswer.Decided decided ->
          decided.callDigest().equals(request.callDigest().value())
              ? attest(request, decided, body, model)
              : again("the model's answer is for another call");
    };
  }

  private static WitnessAnswer again(String reason) {
    return new WitnessAnswer.Unavailable(reason, true);
  }

  private WitnessAnswer attest(
      WitnessRequest request, ChatAnswer.Decided decided, JsonNode body, String model) {
    ObjectNode evidence =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", PeerModelType.KIND)
            .put("digest", EvidenceJson.digest(decided.content()).value())
            .put("prompt_digest", settings.prompt().digest().value())
            .put("model", ForeignText.line(model))
            .put("model_family", settings.modelFamily());
    copy(body, "id", evidence, "response_id");
    copy(body, "system_fingerprint", evidence, "system_fingerprint");
    return WitnessAnswer.Attested.of(
        request.attest(
            "",
            decided.approves() ? AttestationDecision.APPROVE : AttestationDecision.DENY,
            ForeignText.line(decided.reason()),
            evidence,
            null,
            services.clock().instant(),
            contract.validity()));
  }

  private static void copy(JsonNode from, String field, ObjectNode to, String name) {
    if (from.path(field).isTextual()) {
      to.put(name, ForeignText.line(from.path(field).textValue()));
    }
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
