package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.Evidence;
import dev.heldcall.plugin.api.Attestation;
import java.util.Collection;

/** Renders the evidence of a call; of much evidence the newest, saying how much is left out. */
final class EvidenceJson {

  private EvidenceJson() {}

  /** Writes {@code evidence} and {@code evidence_left_out}. */
  static void writeTo(ObjectNode status, Collection<Evidence> all, int max) {
    int leftOut = Math.max(0, all.size() - max);
    ArrayNode items = status.putArray("evidence");
    all.stream().skip(leftOut).forEach(evidence -> write(items.addObject(), evidence));
    status.put("evidence_left_out", leftOut);
  }

  private static void write(ObjectNode node, Evidence evidence) {
    Attestation attestation = evidence.attestation();
    node.put("attestation_id", attestation.attestationId());
    node.put("generation", attestation.generation());
    node.put("class", attestation.witnessClass());
    node.put("witness", evidence.witness().id());
    node.put("decision", attestation.decision().wireName());
    node.put("state", evidence.state().wireName());
    node.put("reason", attestation.reason());
    if (attestation.evidence() != null) {
      node.set("evidence", attestation.evidence());
    }
    node.put("note", evidence.note());
    node.put("signed_by", evidence.signedBy() == null ? null : evidence.signedBy().keyId());
    node.put("issued_at", Timestamps.text(attestation.issuedAt()));
    node.put("received_at", Timestamps.text(evidence.receivedAt()));
    node.put("expires_at", Timestamps.text(attestation.expiresAt()));
  }
}
