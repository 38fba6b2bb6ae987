package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.gateway.error.ProblemDetails;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Digest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of an attestation. What cannot be read goes on record all the same. */
public sealed interface AttestationBody {

  /** It was read. */
  record Whole(Attestation attestation) implements AttestationBody {}

  /**
   * A field of the contract is missing or malformed.
   *
   * @param attestationId its id, or null if that is what could not be read
   * @param reason the first problem in a sentence
   * @param errors all of them
   */
  record Malformed(@Nullable String attestationId, String reason, List<Rejection.FieldError> errors)
      implements AttestationBody {}

  /** A field that the contract does not have: it may be a misspelt one, and nothing is taken. */
  record Refused(ProblemDetails problem) implements AttestationBody {}

  /** Reads it. */
  static AttestationBody read(JsonNode body) {
    ObjectReader in = ObjectReader.of(body);
    String id = in.id("attestation_id");
    int generation = (int) in.integer("generation", 1, Integer.MAX_VALUE);
    Digest callDigest = in.digest("call_digest");
    Digest contractDigest = in.digest("contract_digest");
    String witnessClass = in.id("witness_class");
    AttestationDecision decision = in.requiredConstant("decision", AttestationDecision.class);
    String reason = in.optionalProse("reason", Text.MAX_PROSE);
    JsonNode evidence = evidence(in);
    Instant issuedAt = in.instant("issued_at");
    Instant expiresAt = in.instant("expires_at");
    JsonNode signature = in.optionalObject("signature");
    FieldProblems problems = in.close();
    if (problems.anyUnknown()) {
      return new Refused(problems.refusal());
    }
    if (problems.any()) {
      return new Malformed(
          id.isEmpty() ? null : id, problems.refusal().detail(), problems.places());
    }
    return new Whole(
        new Attestation(
            id,
            generation,
            callDigest,
            contractDigest,
            witnessClass,
            decision,
            reason,
            evidence == null ? null : CanonicalJson.canonical(evidence),
            issuedAt,
            expiresAt,
            signature == null ? null : CanonicalJson.canonical(signature)));
  }

  private static @Nullable JsonNode evidence(ObjectReader in) {
    ObjectReader evidence = in.nested("evidence");
    if (evidence == null) {
      return null;
    }
    evidence.optionalText("type", Text.MAX_ID);
    evidence.optionalText("digest", Text.MAX_ID);
    evidence.optionalText("uri", Text.MAX_PROSE);
    return in.optionalObject("evidence");
  }
}
