package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.digest.CanonicalJson;

/**
 * The body that proposes to replace an organization's document.
 *
 * @param callId the proposer's id for it
 * @param baseEpoch the epoch that the document was made from
 * @param document the whole new document, canonical
 */
public record PolicyBody(String callId, long baseEpoch, JsonNode document) {

  private static final long MAX_EPOCH = (1L << 53) - 1;

  /** Reads it. */
  public static Decoded<PolicyBody> read(JsonNode body) {
    ObjectReader in = ObjectReader.of(body);
    String callId = in.id("call_id");
    long baseEpoch = in.integer("base_epoch", 0, MAX_EPOCH);
    JsonNode document = in.object("document");
    return in.finish(() -> new PolicyBody(callId, baseEpoch, CanonicalJson.canonical(document)));
  }
}
