package dev.heldcall.witness.decision;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Attests what a policy engine or decision service decides about a call. */
final class PolicyEngineProvider implements WitnessProvider {

  private final ProviderContract contract;
  private final PolicyEngineSettings settings;
  private final ProviderServices services;
  private final JsonEndpoint endpoint;

  PolicyEngineProvider(
      ProviderContract contract, PolicyEngineSettings settings, ProviderServices services) {
    this.contract = contract;
    this.settings = settings;
    this.services = services;
    this.endpoint =
        new JsonEndpoint(
            settings.protocol().url(), settings.token(), settings.maxAtOnce(), contract, services);
  }

  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    ObjectNode question;
    try {
      question = settings.protocol().question(CallDocument.of(request, settings.needs()));
    } catch (Undecidable e) {
      return CompletableFuture.completedFuture(e.answer());
    }
    return endpoint.post(question, request.requestId()).thenApply(reply -> answer(request, reply));
  }

  private WitnessAnswer answer(WitnessRequest request, Reply reply) {
    return switch (reply) {
      case Reply.NotAnswered(String why) -> again("the policy engine cannot be asked: " + why);
      case Reply.Answered(JsonNode body) ->
          switch (settings.protocol().read(body, request.callDigest().value())) {
            case ServiceDecision.NotUsable(String why) -> again(why);
            case ServiceDecision.Undecided(String why) ->
                new WitnessAnswer.Deferred(ForeignText.line(why));
            case ServiceDecision.Decided decided -> attest(request, decided);
          };
    };
  }

  private static WitnessAnswer again(String reason) {
    return new WitnessAnswer.Unavailable(reason, true);
  }

  /** The digest is over the call's digest too: a mere "true" digests differently for each call. */
  private WitnessAnswer attest(WitnessRequest request, ServiceDecision.Decided decided) {
    ObjectNode observed = JsonNodeFactory.instance.objectNode();
    observed.put("call_digest", request.callDigest().value()).put("policy", settings.policy());
    observed.set("result", decided.result());
    ObjectNode evidence =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", PolicyEngineType.KIND)
            .put("digest", EvidenceJson.digest(observed).value())
            .put("policy", settings.policy());
    if (decided.id() != null) {
      evidence.put("decision_id", ForeignText.line(decided.id()));
    }
    if (decided.policy() != null) {
      evidence.set("provenance", decided.policy());
    }
    return WitnessAnswer.Attested.of(
        request.attest(
            "",
            decided.allows() ? AttestationDecision.APPROVE : AttestationDecision.DENY,
            decided.reason() == null ? null : ForeignText.line(decided.reason()),
            evidence,
            null,
            services.clock().instant(),
            contract.validity()));
  }

  @Override
  public void close() {
    endpoint.close();
  }
}
