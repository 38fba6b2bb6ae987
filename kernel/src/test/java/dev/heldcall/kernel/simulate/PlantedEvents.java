package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.EventMeta;
import dev.heldcall.kernel.call.Evidence;
import dev.heldcall.kernel.call.EvidenceState;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.Digest;
import java.util.ArrayList;
import java.util.List;

/** What a core with a planted bug would write. */
final class PlantedEvents {

  private PlantedEvents() {}

  /** An edit that takes the approvals of the old generation along to the new one. */
  static List<HeldCallEvent> withOldEvidence(HeldCallFacts before, List<HeldCallEvent> events) {
    HeldCallFacts after = HeldCallReducer.reduceAll(before, events);
    Ruling ruling = after.ruling();
    boolean edited = events.stream().anyMatch(HeldCallEvent.CallEdited.class::isInstance);
    Digest contract = ruling == null ? null : ruling.contractDigest();
    if (!edited || contract == null) {
      return events;
    }
    Generation generation = after.requireGeneration();
    List<HeldCallEvent> all = new ArrayList<>(events);
    for (Evidence each : before.evidence().values()) {
      if (each.state() == EvidenceState.VALID) {
        Attestation was = each.attestation();
        all.add(
            new HeldCallEvent.AttestationAccepted(
                new EventMeta(
                    "ev-" + (before.events() + all.size() + 1), after.lastEventAt(), "kernel"),
                new Attestation(
                    was.attestationId() + "-kept",
                    generation.number(),
                    generation.callDigest(),
                    contract,
                    was.witnessClass(),
                    was.decision(),
                    was.reason(),
                    null,
                    was.issuedAt(),
                    was.expiresAt(),
                    null),
                each.witness(),
                null,
                each.onBehalfOf()));
      }
    }
    return all;
  }
}
