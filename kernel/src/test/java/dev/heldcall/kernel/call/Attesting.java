package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/** Attestations bound to a call as its facts are. */
public final class Attesting {

  private Attesting() {}

  /** An approval, good for an hour, whose id is the witness's. */
  public static HeldCallCommand.Attest approval(
      HeldCallFacts facts, Principal witness, Instant now) {
    return approval("a-" + witness.id(), facts, witness, now);
  }

  /** An approval, good for an hour. */
  public static HeldCallCommand.Attest approval(
      String id, HeldCallFacts facts, Principal witness, Instant now) {
    Generation generation = facts.requireGeneration();
    Ruling ruling = Objects.requireNonNull(facts.ruling());
    return new HeldCallCommand.Attest(
        witness,
        new Attestation(
            id,
            generation.number(),
            generation.callDigest(),
            Objects.requireNonNull(ruling.contractDigest()),
            witness.witnessClasses().first(),
            AttestationDecision.APPROVE,
            "because",
            null,
            now,
            now.plus(Duration.ofHours(1)),
            null));
  }
}
