package dev.heldcall.witness.governed;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.NestedOutcome;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.evidence.DisclosedArgs;
import dev.heldcall.witness.evidence.EvidenceJson;
import dev.heldcall.witness.evidence.Undecidable;
import dev.heldcall.witness.governed.GovernedCallSettings.Value;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Witnesses by calling a tool, such as a lookup, and holding its result against what is expected.
 * The call is proposed under the provider's identity with the held call as its parent, and is
 * governed like any other: policy may deny it, or hold it for witnesses of its own.
 */
final class GovernedCallProvider implements WitnessProvider {

  private static final String CALL_ID = "look";

  private final ProviderContract contract;
  private final GovernedCallSettings settings;
  private final ProviderServices services;

  GovernedCallProvider(
      ProviderContract contract, GovernedCallSettings settings, ProviderServices services) {
    this.contract = contract;
    this.settings = settings;
    this.services = services;
  }

  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    DisclosedArgs disclosed = DisclosedArgs.of(request);
    ObjectNode args = JsonNodeFactory.instance.objectNode();
    try {
      for (Map.Entry<String, Value> each : settings.args().entrySet()) {
        args.set(each.getKey(), in(disclosed, each.getValue()));
      }
      // What cannot be compared later need not be called for.
      for (Value each : settings.expect().values()) {
        var _ = in(disclosed, each);
      }
    } catch (Undecidable e) {
      return now(e.answer());
    }
    return now(new WitnessAnswer.Nested(CALL_ID, settings.tool(), args));
  }

  private static JsonNode in(DisclosedArgs args, Value value) throws Undecidable {
    return switch (value) {
      case Value.Fixed(JsonNode fixed) -> fixed;
      case Value.FromArgs(JsonPointer pointer) -> args.at(pointer);
    };
  }

  @Override
  public CompletionStage<WitnessAnswer> nested(WitnessRequest request, NestedOutcome outcome) {
    return now(
        switch (outcome) {
          case NestedOutcome.Quarantined quarantined ->
              new WitnessAnswer.Unavailable(
                  "the result of its call " + quarantined.heldId() + " is quarantined", false);
          case NestedOutcome.Ran ran -> judge(request, ran);
        });
  }

  private WitnessAnswer judge(WitnessRequest request, NestedOutcome.Ran ran) {
    JsonNode content = ran.content();
    if (!ran.succeeded() || content == null) {
      return new WitnessAnswer.Unavailable(
          "the tool of its call " + ran.heldId() + " answered an error", false);
    }
    String wrong;
    try {
      wrong = mismatch(DisclosedArgs.of(request), content);
    } catch (Undecidable e) {
      return e.answer();
    }
    if (wrong == null) {
      return attested(request, AttestationDecision.APPROVE, "as expected", ran, content);
    }
    return settings.denyOnMismatch()
        ? attested(request, AttestationDecision.DENY, wrong, ran, content)
        : new WitnessAnswer.Deferred(wrong);
  }

  /** The first place that is not as expected, without the values; null if all are. */
  private @Nullable String mismatch(DisclosedArgs args, JsonNode content) throws Undecidable {
    for (Map.Entry<JsonPointer, Value> each : settings.expect().entrySet()) {
      JsonNode found = content.at(each.getKey());
      JsonNode expected = in(args, each.getValue());
      if (!equal(found, expected)) {
        return "the result of " + settings.tool() + " is not as expected at " + each.getKey();
      }
    }
    return null;
  }

  /** Numbers compare by value; kinds are not mixed. */
  private static boolean equal(JsonNode found, JsonNode expected) {
    boolean numbers = found.isNumber() && expected.isNumber();
    return numbers
        ? found.decimalValue().compareTo(expected.decimalValue()) == 0
        : found.equals(expected);
  }

  private WitnessAnswer attested(
      WitnessRequest request,
      AttestationDecision decision,
      String reason,
      NestedOutcome.Ran ran,
      JsonNode content) {
    ObjectNode observed = JsonNodeFactory.instance.objectNode();
    observed.put("call_digest", request.callDigest().value()).put("held_id", ran.heldId());
    observed.set("content", content);
    ObjectNode evidence = JsonNodeFactory.instance.objectNode();
    evidence.put("type", GovernedCallType.KIND);
    evidence.put("digest", EvidenceJson.digest(observed).value());
    evidence.put("uri", "/held/" + ran.heldId());
    return WitnessAnswer.Attested.of(
        request.attest(
            "", decision, reason, evidence, null, services.clock().instant(), contract.validity()));
  }

  private static CompletionStage<WitnessAnswer> now(WitnessAnswer answer) {
    return CompletableFuture.completedFuture(answer);
  }

  @Override
  public void close() {
    // it holds nothing
  }
}
