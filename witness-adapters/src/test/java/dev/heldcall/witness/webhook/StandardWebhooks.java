package dev.heldcall.witness.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.Counterpart.Asked;
import dev.heldcall.witness.FactRequests;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The other side of Standard Webhooks, written from the specification and sharing no code. */
public final class StandardWebhooks {

  /** The secret of the specification's own test. */
  public static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private StandardWebhooks() {}

  /** The header of a message. */
  public static String signature(String secret, String id, String seconds, String body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      byte[] signed =
          mac.doFinal((id + "." + seconds + "." + body).getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether what came was signed with the secret. */
  public static boolean isSigned(String secret, Asked asked) {
    String expected =
        signature(
            secret,
            asked.headers().getOrDefault("webhook-id", ""),
            asked.headers().getOrDefault("webhook-timestamp", ""),
            asked.body());
    return List.of(asked.headers().getOrDefault("webhook-signature", "").split(" "))
        .contains(expected);
  }

  /** A signed message. */
  public static IncomingMessage message(String secret, String id, Instant at, String body) {
    String seconds = Long.toString(at.getEpochSecond());
    return new IncomingMessage(
        Map.of(
            "Webhook-Id", List.of(id),
            "Webhook-Timestamp", List.of(seconds),
            "Webhook-Signature", List.of(signature(secret, id, seconds, body))),
        body.getBytes(StandardCharsets.UTF_8));
  }

  /** The body by which a person decides a call. */
  public static ObjectNode vote(WitnessRequest request, String witness, String decision) {
    ObjectNode vote = (ObjectNode) FactRequests.json("{}");
    return vote.put("held_id", request.heldId())
        .put("generation", request.generation())
        .put("call_digest", request.callDigest().value())
        .put("contract_digest", request.contractDigest().value())
        .put("witness", witness)
        .put("decision", decision)
        .put("reason", "checked the invoice")
        .put("issued_at", FactRequests.NOW.minusSeconds(20).toString());
  }
}
