package dev.heldcall.gateway.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The leases of a call as its history has them, each with how many people's approvals stood when it
 * was granted: an own reading of the events, which knows nothing of the kernel's.
 */
record Evidence(List<Granted> leases) {

  /**
   * A lease.
   *
   * @param token its fencing token
   * @param key its idempotency key
   * @param callDigest what it is for
   * @param at when it was granted
   * @param approvals by how many people, for this generation and this contract
   */
  record Granted(String token, String key, String callDigest, Instant at, int approvals) {

    /** Whether the effect was had under this lease, after it. */
    boolean covers(ToolLedger.Effect effect) {
      return effect.key().equals(key)
          && effect.token().equals(token)
          && effect.callDigest().equals(callDigest)
          && !effect.at().isBefore(at);
    }
  }

  static Evidence of(JsonNode history) {
    List<Granted> leases = new ArrayList<>();
    Map<String, String> approvals = new HashMap<>();
    for (JsonNode event : history) {
      JsonNode data = event.path("data");
      switch (event.path("type").asText()) {
        case "attestation-accepted" -> {
          if (data.at("/attestation/decision").asText().equals("approve")) {
            approvals.put(
                data.at("/attestation/attestation_id").asText(), data.at("/witness/id").asText());
          }
        }
        case "attestation-revoked", "attestation-expired" ->
            approvals.remove(data.path("attestation_id").asText());
        case "call-edited" -> approvals.clear();
        case "call-ruled" -> {
          if (!data.path("evidence_stands").asBoolean()) {
            approvals.clear();
          }
        }
        case "lease-granted" -> leases.add(granted(event, data.path("lease"), approvals));
        default -> {}
      }
    }
    return new Evidence(leases);
  }

  private static Granted granted(JsonNode event, JsonNode lease, Map<String, String> approvals) {
    JsonNode token = lease.path("token");
    return new Granted(
        token.isTextual()
            ? token.asText()
            : token.path("generation").asText() + "." + token.path("attempt").asText(),
        lease.path("idempotency_key").asText(),
        lease.path("call_digest").asText(),
        Instant.parse(event.path("at").asText()),
        (int) approvals.values().stream().distinct().count());
  }
}
