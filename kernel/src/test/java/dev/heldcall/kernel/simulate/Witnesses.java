package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Principal;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * People, services and models who are asked: they approve, deny, take back, repeat, or do not care.
 */
final class Witnesses {

  private static final int MOST_WORDS = 4;
  private static final List<Principal> ALL =
      List.of(
          CoreFixtures.ALICE,
          CoreFixtures.BOB,
          CoreFixtures.CAROL,
          CoreFixtures.CI,
          CoreFixtures.COMPLIANCE);

  private final Simulation world;
  private final SplittableRandom random;
  private final Map<String, Client> clients = new LinkedHashMap<>();
  private final Map<String, Integer> words = new HashMap<>();

  Witnesses(Simulation world) {
    this.world = world;
    this.random = world.random();
    ALL.forEach(each -> clients.put(each.id(), new Client(world, each.id())));
  }

  List<Client> clients() {
    return List.copyOf(clients.values());
  }

  private Client client(Principal witness) {
    return java.util.Objects.requireNonNull(clients.get(witness.id()));
  }

  /** A request reached the witnesses of the class. */
  void asked(String heldId, String witnessClass) {
    for (Principal each : ALL) {
      if (each.witnessClasses().contains(witnessClass) && random.nextInt(100) < 70) {
        world
            .timeline()
            .after(
                100 + random.nextInt(random.nextInt(5) == 0 ? 25_000 : 4_000),
                () -> consider(each, heldId));
      }
    }
  }

  /** Some speak without having been asked. */
  void unasked(String heldId) {
    consider(ALL.get(random.nextInt(ALL.size())), heldId);
  }

  private void consider(Principal witness, String heldId) {
    if (words.merge(witness.id() + heldId, 1, Integer::sum) <= MOST_WORDS) {
      client(witness)
          .want(
              "read " + Scenario.shortName(heldId),
              0,
              (node, answered) -> world.gateway().read(node, heldId, answered),
              reply -> decide(witness, heldId, reply.facts()));
    }
  }

  private void decide(Principal witness, String heldId, HeldCallFacts seen) {
    Ruling ruling = seen.ruling();
    Digest contract = ruling == null ? null : ruling.contractDigest();
    if (contract == null || seen.concluded()) {
      return;
    }
    boolean veto = witness.id().equals(CoreFixtures.COMPLIANCE.id());
    AttestationDecision decision =
        random.nextInt(100) < (veto ? 30 : 8)
            ? AttestationDecision.DENY
            : AttestationDecision.APPROVE;
    if (decision == AttestationDecision.DENY) {
      world.faults().count(Fault.WITNESS_DENIED);
    }
    long thinks = random.nextInt(3) == 0 ? random.nextInt(6_000) : random.nextInt(400);
    world
        .timeline()
        .after(
            thinks, () -> attest(witness, heldId, attestation(witness, seen, contract, decision)));
  }

  private Attestation attestation(
      Principal witness, HeldCallFacts seen, Digest contract, AttestationDecision decision) {
    Generation generation = seen.requireGeneration();
    Instant now = CoreFixtures.START.plusMillis(world.timeline().now());
    long good = random.nextInt(4) == 0 ? 4L + random.nextInt(20) : 3_600;
    int number = words.merge(witness.id(), 1, Integer::sum);
    return new Attestation(
        "a-" + witness.id() + "-" + number,
        generation.number(),
        generation.callDigest(),
        contract,
        witness.witnessClasses().first(),
        decision,
        "because",
        null,
        now,
        now.plusSeconds(good),
        null);
  }

  private void attest(Principal witness, String heldId, Attestation attestation) {
    world.oracle().given(heldId, attestation, witness.ref());
    send(witness, heldId, attestation, reply -> attested(witness, heldId, attestation, reply));
    if (random.nextInt(100) < 12) {
      world.faults().count(Fault.WITNESS_REPEATED);
      world
          .timeline()
          .after(random.nextInt(8_000), () -> send(witness, heldId, attestation, again -> {}));
    }
  }

  private void send(
      Principal witness,
      String heldId,
      Attestation attestation,
      java.util.function.Consumer<CallReply> then) {
    HeldCallCommand command = new HeldCallCommand.Attest(witness, attestation);
    client(witness)
        .want(
            "attest " + attestation.attestationId(),
            0,
            (node, answered) -> world.gateway().execute(node, heldId, command, 0, answered),
            then);
  }

  private void attested(
      Principal witness, String heldId, Attestation attestation, CallReply reply) {
    if (!(reply.answer() instanceof Answer.Attested)) {
      return;
    }
    int mood = random.nextInt(100);
    if (mood < 14) {
      world.timeline().after(random.nextInt(6_000), () -> revoke(witness, heldId, attestation));
    } else if (mood < 22) {
      contradict(witness, heldId, attestation);
    }
  }

  private void contradict(Principal witness, String heldId, Attestation was) {
    world.faults().count(Fault.WITNESS_CONTRADICTED);
    Attestation other =
        new Attestation(
            was.attestationId(),
            was.generation(),
            was.callDigest(),
            was.contractDigest(),
            was.witnessClass(),
            was.decision() == AttestationDecision.DENY
                ? AttestationDecision.APPROVE
                : AttestationDecision.DENY,
            "on second thoughts",
            null,
            was.issuedAt(),
            was.expiresAt(),
            null);
    send(witness, heldId, other, again -> {});
  }

  private void revoke(Principal witness, String heldId, Attestation attestation) {
    world.faults().count(Fault.WITNESS_REVOKED);
    Principal by = random.nextInt(5) == 0 ? CoreFixtures.OPERATOR : witness;
    HeldCallCommand command =
        new HeldCallCommand.RevokeAttestation(by, attestation.attestationId(), "changed my mind");
    client(witness)
        .want(
            "revoke " + attestation.attestationId(),
            0,
            (node, answered) -> world.gateway().execute(node, heldId, command, 0, answered),
            reply -> {
              if (random.nextInt(3) > 0) {
                consider(witness, heldId);
              }
            });
  }
}
