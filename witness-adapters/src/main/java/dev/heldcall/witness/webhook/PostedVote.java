package dev.heldcall.witness.webhook;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.witness.evidence.EvidenceJson;
import dev.heldcall.witness.evidence.MalformedJson;
import dev.heldcall.witness.evidence.PostedFields;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Somebody's word on a call, as the service posts it.
 *
 * @param witness the service's name for who said it
 * @param attestationId the service's id for it, or null
 * @param issuedAt when it was said, in whole milliseconds
 */
record PostedVote(
    String heldId,
    int generation,
    Digest callDigest,
    Digest contractDigest,
    String witness,
    AttestationDecision decision,
    @Nullable String reason,
    @Nullable String attestationId,
    Instant issuedAt) {

  private static final int MAX_ID = 128;
  private static final int MAX_REASON = 4096;

  /** Reads a body. */
  static PostedVote read(byte[] body) throws MalformedJson {
    PostedFields fields = PostedFields.of(body);
    PostedVote vote =
        new PostedVote(
            fields.text("held_id", MAX_ID),
            fields.count("generation"),
            fields.digest("call_digest"),
            fields.digest("contract_digest"),
            fields.text("witness", MAX_ID),
            fields.decision("decision"),
            fields.optionalText("reason", MAX_REASON),
            fields.optionalText("attestation_id", MAX_ID),
            fields.time("issued_at").truncatedTo(ChronoUnit.MILLIS));
    fields.done();
    return vote;
  }

  /** The attestation that it is. The same word is the same attestation, whoever posts it again. */
  Attestation attestation(PrincipalRef person, ProviderContract contract) {
    return new Attestation(
        attestationId == null ? derivedId(person, contract.id()) : attestationId,
        generation,
        callDigest,
        contractDigest,
        contract.witnessClass(),
        decision,
        reason,
        null,
        issuedAt,
        issuedAt.plus(contract.validity()),
        null);
  }

  /** A digest of all that is said, so that no other word has the id. */
  private String derivedId(PrincipalRef person, String provider) {
    ObjectNode said = JsonNodeFactory.instance.objectNode();
    said.put("provider", provider)
        .put("held_id", heldId)
        .put("generation", generation)
        .put("call_digest", callDigest.value())
        .put("contract_digest", contractDigest.value())
        .put("decision", decision.wireName())
        .put("reason", reason)
        .put("issued_at", issuedAt.toString());
    said.putObject("person")
        .put("org", person.org())
        .put("project", person.project())
        .put("id", person.id());
    return "webhook." + EvidenceJson.digest(said).value().substring("sha256:".length());
  }
}
