package dev.heldcall.witness.decision;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.witness.evidence.ForeignText;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Open Policy Agent's REST data API: {@code POST /v1/data/<path>} with {@code {"input": …}}
 * gives {@code {"result": …}}, or no {@code result} where the policy defines none. A result is true
 * or false, or an object whose {@code allow} is.
 *
 * @param url the document's, with {@code provenance} asked for, and with errors in built-in
 *     functions as errors: by themselves they make a result undefined, or worse a negation true
 * @param echo where a result repeats the call's digest, or null
 */
record OpaProtocol(URI url, @Nullable JsonPointer echo) implements DecisionProtocol {

  private static final int MAX_BUNDLES = 16;

  @Override
  public ObjectNode question(ObjectNode call) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("input", call);
    return body;
  }

  @Override
  public ServiceDecision read(JsonNode body, String callDigest) {
    JsonNode result = body.path("result");
    if (result.isMissingNode()) {
      return new ServiceDecision.Undecided("the policy has no result for this call (undefined)");
    }
    if (echo != null && !callDigest.equals(result.at(echo).textValue())) {
      return new ServiceDecision.NotUsable("the answer is not for this call: it repeats no digest");
    }
    JsonNode allow = result.isObject() ? result.path("allow") : result;
    if (result.isObject() && allow.isMissingNode()) {
      return new ServiceDecision.Undecided("the policy's result has no 'allow' for this call");
    }
    if (!allow.isBoolean()) {
      return new ServiceDecision.NotUsable("the policy's result is neither true nor false");
    }
    return new ServiceDecision.Decided(
        allow.booleanValue(),
        reason(result),
        result,
        body.path("decision_id").textValue(),
        policy(body.path("provenance")));
  }

  private static @Nullable String reason(JsonNode result) {
    JsonNode one = result.path("reason");
    if (one.isTextual()) {
      return one.textValue();
    }
    List<String> several = new ArrayList<>();
    for (JsonNode reason : result.path("reasons")) {
      if (reason.isTextual()) {
        several.add(reason.textValue());
      }
    }
    return several.isEmpty() ? null : String.join("; ", several);
  }

  /** The engine's version and its bundles' revisions: which policy it was that decided. */
  private static @Nullable JsonNode policy(JsonNode provenance) {
    if (!provenance.isObject()) {
      return null;
    }
    ObjectNode policy = JsonNodeFactory.instance.objectNode();
    copyText(provenance, "version", policy);
    copyText(provenance, "revision", policy);
    ObjectNode bundles = JsonNodeFactory.instance.objectNode();
    provenance
        .path("bundles")
        .properties()
        .forEach(
            bundle -> {
              if (bundles.size() < MAX_BUNDLES) {
                bundles.put(
                    ForeignText.line(bundle.getKey()),
                    ForeignText.line(bundle.getValue().path("revision").asText()));
              }
            });
    if (!bundles.isEmpty()) {
      policy.set("bundles", bundles);
    }
    return policy;
  }

  private static void copyText(JsonNode from, String field, ObjectNode to) {
    if (from.path(field).isTextual()) {
      to.put(field, ForeignText.line(from.path(field).textValue()));
    }
  }
}
