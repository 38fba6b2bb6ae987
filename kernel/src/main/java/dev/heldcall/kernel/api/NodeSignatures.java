package dev.heldcall.kernel.api;

import dev.heldcall.config.AuthSettings;
import dev.heldcall.kernel.signature.AttestationSignatures;
import dev.heldcall.kernel.signature.KeySetClient;
import dev.heldcall.kernel.signature.WitnessKeys;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.kernel.witness.SignatureVerdict;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.typed.ActorSystem;

/** This node's keys of witnesses, and what it verifies with them. */
final class NodeSignatures {

  /** How often is looked whether a key set is due; how old one gets is its own setting. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final KeySetClient client = new KeySetClient();
  private final WitnessKeys keys;
  private final AttestationSignatures signatures;

  NodeSignatures(AuthSettings settings, Clock clock) {
    keys = new WitnessKeys(settings, client, clock);
    signatures = new AttestationSignatures(keys);
  }

  /** What an attestation's signature is worth; fails if the keys cannot be read. */
  CompletionStage<SignatureVerdict> verify(
      PrincipalRef witness, String heldId, Attestation attestation) {
    return signatures.verify(witness, heldId, attestation);
  }

  /** How keys stand now. */
  KeyStandings standings() {
    return keys.standings();
  }

  /** Reads key sets when they are due, for as long as the system runs. */
  void keepFresh(ActorSystem<?> system) {
    if (keys.remote()) {
      system
          .scheduler()
          .scheduleWithFixedDelay(Duration.ZERO, LOOK, keys::keepFresh, system.executionContext());
    }
    system.getWhenTerminated().thenRun(client::close);
  }
}
