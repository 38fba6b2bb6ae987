package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.plugin.api.WireName;

/**
 * The body by which a worker reports what came of its lease.
 *
 * @param leaseId the lease
 * @param outcome what came of it
 * @param content the tool's answer, canonical; null if it had none
 */
public record OutcomeBody(String leaseId, Outcome outcome, JsonNode content) {

  /** What came of a tool. */
  public enum Outcome implements WireName {
    /** It did what was asked. */
    SUCCEEDED("succeeded"),
    /** It answered an error; that is a result too. */
    FAILED("failed");

    private final String wireName;

    Outcome(String wireName) {
      this.wireName = wireName;
    }

    @Override
    public String wireName() {
      return wireName;
    }
  }

  /** Reads it. */
  public static Decoded<OutcomeBody> read(JsonNode body) {
    ObjectReader in = ObjectReader.of(body);
    String leaseId = in.id("lease_id");
    Outcome outcome = in.requiredConstant("outcome", Outcome.class);
    JsonNode content = in.any("content");
    return in.finish(
        () ->
            new OutcomeBody(
                leaseId,
                outcome,
                content == null ? NullNode.instance : CanonicalJson.canonical(content)));
  }
}
