package dev.heldcall.witness.decision;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Any service that takes a JSON document by POST and answers with one. Where in the answer its
 * decision stands, and which values mean what, is configured; a value that is not is not
 * understood.
 *
 * @param url where it listens
 * @param result where its decision stands
 * @param approve values that are for a call; true, or text
 * @param deny values that are against it; false, or text
 * @param defer values by which it says that it cannot tell
 * @param reason where its words stand, or null
 * @param decisionId where it names the decision, or null
 * @param echo where it repeats the call's digest, or null
 */
record JsonProtocol(
    URI url,
    JsonPointer result,
    Set<JsonNode> approve,
    Set<JsonNode> deny,
    Set<JsonNode> defer,
    @Nullable JsonPointer reason,
    @Nullable JsonPointer decisionId,
    @Nullable JsonPointer echo)
    implements DecisionProtocol {

  JsonProtocol {
    approve = Set.copyOf(approve);
    deny = Set.copyOf(deny);
    defer = Set.copyOf(defer);
  }

  @Override
  public ObjectNode question(ObjectNode call) {
    return call;
  }

  @Override
  public ServiceDecision read(JsonNode body, String callDigest) {
    if (echo != null && !callDigest.equals(body.at(echo).textValue())) {
      return new ServiceDecision.NotUsable("the answer is not for this call: it repeats no digest");
    }
    JsonNode value = body.at(result);
    if (value.isMissingNode() || value.isNull()) {
      return new ServiceDecision.NotUsable("the answer has no decision at " + result);
    }
    String words = text(body, reason);
    if (defer.contains(value)) {
      return new ServiceDecision.Undecided(
          words == null ? "the service cannot tell" : "the service cannot tell: " + words);
    }
    if (!approve.contains(value) && !deny.contains(value)) {
      return new ServiceDecision.NotUsable("the answer's decision is none of those configured");
    }
    return new ServiceDecision.Decided(
        approve.contains(value), words, value, text(body, decisionId), null);
  }

  private static @Nullable String text(JsonNode body, @Nullable JsonPointer at) {
    return at == null ? null : body.at(at).textValue();
  }
}
