package dev.heldcall.witness.signed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.witness.evidence.StrictJson;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Iterator;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An attestation as the service posts it: the body that a witness would post to the call, and
 * beside it {@code held_id}.
 *
 * @param keyId the key that its signature names; nobody has verified it yet
 */
record PostedStatement(String heldId, Attestation attestation, String keyId) {

  /** What was posted is no such body. */
  static final class Malformed extends Exception {

    private static final long serialVersionUID = 1L;

    Malformed(String reason) {
      super(reason, null, false, false);
    }
  }

  private static final int MAX_ID = 512;
  private static final int MAX_REASON = 16_384;
  private static final Set<String> FIELDS =
      Set.of(
          "held_id",
          "attestation_id",
          "generation",
          "call_digest",
          "contract_digest",
          "witness_class",
          "decision",
          "reason",
          "evidence",
          "issued_at",
          "expires_at",
          "signature");

  static PostedStatement read(byte[] bytes) throws Malformed {
    JsonNode body = StrictJson.object(new String(bytes, UTF_8));
    if (body == null) {
      throw new Malformed("the body is not one JSON object without duplicate keys");
    }
    for (Iterator<String> names = body.fieldNames(); names.hasNext(); ) {
      String name = names.next();
      if (!FIELDS.contains(name)) {
        throw new Malformed("a field is not known: '" + name + "'");
      }
    }
    JsonNode generation = body.path("generation");
    if (!generation.isIntegralNumber() || !generation.canConvertToInt() || generation.asInt() < 1) {
      throw new Malformed("generation: expected an integer from 1");
    }
    JsonNode evidence = body.get("evidence");
    if (evidence != null && !evidence.isObject() && !evidence.isNull()) {
      throw new Malformed("evidence: expected an object or null");
    }
    JsonNode signature = body.path("signature");
    if (!signature.isObject()) {
      throw new Malformed(
          "signature: expected an object: what nobody has signed counts nothing here");
    }
    Attestation attestation =
        new Attestation(
            text(body, "attestation_id", MAX_ID),
            generation.asInt(),
            digest(body, "call_digest"),
            digest(body, "contract_digest"),
            text(body, "witness_class", MAX_ID),
            decision(body),
            body.hasNonNull("reason") ? text(body, "reason", MAX_REASON) : null,
            evidence == null || evidence.isNull() ? null : evidence,
            time(body, "issued_at"),
            time(body, "expires_at"),
            signature);
    return new PostedStatement(text(body, "held_id", MAX_ID), attestation, keyId(signature));
  }

  private static String text(JsonNode body, String field, int max) throws Malformed {
    JsonNode value = body.path(field);
    if (!value.isTextual() || value.textValue().isEmpty() || value.textValue().length() > max) {
      throw new Malformed(field + ": expected a text of 1 to " + max + " characters");
    }
    return value.textValue();
  }

  private static Digest digest(JsonNode body, String field) throws Malformed {
    String text = body.path(field).asText();
    if (!Digest.isWellFormed(text)) {
      throw new Malformed(field + ": expected 'sha256:' and 64 lower-case hexadecimal digits");
    }
    return new Digest(text);
  }

  private static AttestationDecision decision(JsonNode body) throws Malformed {
    try {
      return AttestationDecision.of(body.path("decision").asText());
    } catch (IllegalArgumentException e) {
      throw new Malformed("decision: expected approve or deny");
    }
  }

  private static Instant time(JsonNode body, String field) throws Malformed {
    try {
      return OffsetDateTime.parse(body.path(field).asText().toUpperCase(Locale.ROOT)).toInstant();
    } catch (DateTimeException e) {
      throw new Malformed(field + ": expected an RFC 3339 time");
    }
  }

  /** The key that the signature says it is of. */
  private static String keyId(JsonNode signature) throws Malformed {
    String keyId =
        signature.has("jws")
            ? kid(signature.path("jws").asText())
            : signature.path("signatures").path(0).path("keyid").textValue();
    if (keyId == null || keyId.isEmpty()) {
      throw new Malformed("signature: it names no key ('keyid', or 'kid' in the JWS header)");
    }
    return keyId;
  }

  private static @Nullable String kid(String jws) {
    try {
      byte[] header = Base64.getUrlDecoder().decode(jws.split("\\.", -1)[0]);
      JsonNode read = StrictJson.object(new String(header, UTF_8));
      return read == null ? null : read.path("kid").textValue();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
