package dev.heldcall.gateway.json;

import dev.heldcall.gateway.auth.Roster;
import dev.heldcall.kernel.api.CallView;
import dev.heldcall.kernel.call.EvidenceView;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallStatus;

/** Derives what is shown of calls, with who could still give what is missing. */
public final class Statuses {

  private final Roster roster;

  /** Names witnesses of this roster. */
  public Statuses(Roster roster) {
    this.roster = roster;
  }

  /** The status of a call when it was read. */
  public HeldCallStatus of(CallView view) {
    HeldCallFacts facts = view.facts();
    return HeldCallStatus.of(
        facts,
        view.now(),
        roster.of(
            facts.requireSpec().proposer().org(),
            (witness, witnessClass) -> EvidenceView.independent(facts, witness, witnessClass)));
  }
}
