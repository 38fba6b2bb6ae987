package dev.heldcall.kernel.explore;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.work.HeldCallReconciler;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Principal;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What must count for nothing: whatever of this is tried, the facts that count stay as they are.
 */
final class HostileMoves implements Moves {

  private final Scenario scenario;
  private final Incarnation incarnation;

  HostileMoves(Scenario scenario, Incarnation incarnation) {
    this.scenario = scenario;
    this.incarnation = incarnation;
  }

  @Override
  public void from(Situation at, Fan fan) {
    if (!scenario.has(Feature.HOSTILE)
        || !at.facts.proposed()
        || !HeldCallReconciler.plan(at.facts, incarnation.context(at, at.knownEpoch, false))
            .decisions()
            .isEmpty()) {
      return;
    }
    evidence(at, fan);
    repeated(at, fan);
    proposer(at, fan);
    operator(at, fan);
    leases(at, fan);
  }

  /** Tries a command that must be refused; at most that is put on record. */
  private void refused(Situation at, Fan fan, String name, HeldCallCommand command) {
    tries(at, fan, name, command, true);
  }

  private void tries(
      Situation at, Fan fan, String name, HeldCallCommand command, boolean mustBeRefused) {
    HeldCallFacts before = at.facts;
    incarnation.hears(
        fan,
        name,
        Fan.FAULT,
        at,
        command,
        (next, answer) -> {
          HeldCallFacts after = next.facts;
          Violation.demand(
              before.evidence().equals(after.evidence())
                  && Objects.equals(before.generation(), after.generation())
                  && before.leases().equals(after.leases())
                  && before.lifecycle() == after.lifecycle()
                  && before.delivery() == after.delivery()
                  && (before.cancelWish() == null) == (after.cancelWish() == null)
                  && (before.resolution() == null) == (after.resolution() == null),
              "what must count for nothing counted");
          Violation.demand(
              mustBeRefused == answer instanceof Answer.Refused, "answered as it must not be");
        });
  }

  private void evidence(Situation at, Fan fan) {
    attest(at, fan, "the proposer attests", Cast.AGENT, good(at));
    attest(at, fan, "the proposer's delegate attests", Cast.DELEGATE, good(at));
    attest(at, fan, "a stranger attests", Cast.STRANGER, good(at));
    attest(at, fan, "a class not held", Cast.CI, good(at));
    attest(at, fan, "an echo", Cast.ALICE, echo(at));
    int generation = at.facts.requireGeneration().number();
    attest(at, fan, "another generation", Cast.ALICE, bound(at, generation + 1, null, null, 900));
    attest(at, fan, "another call", Cast.ALICE, bound(at, generation, Cast.OTHER, null, 900));
    attest(at, fan, "another contract", Cast.ALICE, bound(at, generation, null, Cast.OTHER, 900));
    attest(at, fan, "expired", Cast.ALICE, bound(at, generation, null, null, at.second));
    if (!at.facts.undecided()) {
      attest(at, fan, "too late", Cast.ALICE, good(at));
    }
    refused(
        at,
        fan,
        "unreadable",
        new HeldCallCommand.RefuseAttestation(Cast.ALICE, null, false, "unreadable", List.of()));
  }

  private void attest(Situation at, Fan fan, String name, Principal by, Attestation attestation) {
    refused(at, fan, "attest: " + name, new HeldCallCommand.Attest(by, attestation));
  }

  private Attestation good(Situation at) {
    return bound(at, at.facts.requireGeneration().number(), null, null, 900);
  }

  /** Evidence that is the proposer's own arguments. */
  private Attestation echo(Situation at) {
    Attestation good = good(at);
    return new Attestation(
        good.attestationId(),
        good.generation(),
        good.callDigest(),
        good.contractDigest(),
        good.witnessClass(),
        good.decision(),
        null,
        JsonNodeFactory.instance
            .objectNode()
            .put("digest", at.facts.requireGeneration().argsDigest().value()),
        good.issuedAt(),
        good.expiresAt(),
        null);
  }

  private static Attestation bound(
      Situation at, int generation, @Nullable Digest call, @Nullable Digest contract, int until) {
    Ruling ruling = at.facts.ruling();
    Digest stands = ruling == null ? null : ruling.contractDigest();
    return new Attestation(
        "a-bad",
        generation,
        call == null ? at.facts.requireGeneration().callDigest() : call,
        contract != null ? contract : stands == null ? Cast.OTHER : stands,
        "human",
        dev.heldcall.plugin.api.AttestationDecision.APPROVE,
        null,
        null,
        Cast.START.minusSeconds(1),
        Cast.START.plusSeconds(until),
        null);
  }

  private void repeated(Situation at, Fan fan) {
    for (int voice = 0; voice < scenario.voices().size(); voice++) {
      Statement last = PeopleMoves.last(at, voice);
      if (last == null) {
        continue;
      }
      Principal who = scenario.voices().get(voice).who();
      Attestation given = last.attestation();
      tries(at, fan, "attest: told twice", new HeldCallCommand.Attest(who, given), false);
      attest(at, fan, "told by another", who.equals(Cast.BOB) ? Cast.ALICE : Cast.BOB, given);
      attest(
          at,
          fan,
          "other content under its id",
          who,
          PeopleMoves.attestation(
              scenario, at, given.attestationId(), given.witnessClass(), !last.approves()));
      revoked(at, fan, who, last);
    }
  }

  private void revoked(Situation at, Fan fan, Principal who, Statement last) {
    String id = last.attestation().attestationId();
    refused(
        at,
        fan,
        "a stranger revokes",
        new HeldCallCommand.RevokeAttestation(Cast.STRANGER, id, null));
    refused(
        at,
        fan,
        "another witness revokes",
        new HeldCallCommand.RevokeAttestation(
            who.equals(Cast.BOB) ? Cast.ALICE : Cast.BOB, id, null));
    refused(
        at, fan, "nothing is revoked", new HeldCallCommand.RevokeAttestation(who, "a-none", null));
    if (!at.facts.undecided() && !last.revoked()) {
      refused(at, fan, "revoked too late", new HeldCallCommand.RevokeAttestation(who, id, null));
    }
  }

  private void proposer(Situation at, Fan fan) {
    int generation = at.facts.requireGeneration().number();
    tries(at, fan, "proposed again", propose("{'amount': 1}"), false);
    refused(at, fan, "other content proposed", propose("{'amount': 9}"));
    refused(at, fan, "a stranger cancels", new HeldCallCommand.CancelCall(Cast.STRANGER, null));
    refused(at, fan, "a witness cancels", new HeldCallCommand.CancelCall(Cast.ALICE, null));
    refused(at, fan, "a witness edits", edit(Cast.ALICE, generation));
    refused(at, fan, "an edit of another generation", edit(Cast.AGENT, generation + 1));
    refused(
        at,
        fan,
        "another delivery acknowledged",
        new HeldCallCommand.AcknowledgeDelivery(Cast.AGENT, "hc_other.1"));
    refused(
        at,
        fan,
        "a witness acknowledges",
        new HeldCallCommand.AcknowledgeDelivery(Cast.ALICE, OutcomeJson.deliveryId(at.facts)));
    if (!at.facts.undecided()) {
      refused(at, fan, "an edit too late", edit(Cast.AGENT, generation));
    }
    if (!at.facts.concluded()) {
      refused(
          at,
          fan,
          "acknowledged before it is known",
          new HeldCallCommand.AcknowledgeDelivery(Cast.AGENT, OutcomeJson.deliveryId(at.facts)));
    }
  }

  private HeldCallCommand propose(String args) {
    return new HeldCallCommand.ProposeCall(
        Cast.AGENT, Cast.proposal(scenario, args), "s-1", Cast.PLUGINS);
  }

  private static HeldCallCommand edit(Principal by, int generation) {
    return new HeldCallCommand.EditCall(
        by, generation, null, CompiledPolicies.json("{'amount': 3}"));
  }

  private void operator(Situation at, Fan fan) {
    refused(at, fan, "the proposer resolves", PeopleMoves.resolution(Cast.AGENT, true));
    refused(
        at, fan, "the proposer's delegate resolves", PeopleMoves.resolution(Cast.DELEGATE, true));
    refused(at, fan, "a witness resolves", PeopleMoves.resolution(Cast.ALICE, false));
    if (at.facts.resolution() != null) {
      boolean effect = at.facts.resolution().effect();
      tries(
          at, fan, "resolved the same again", PeopleMoves.resolution(Cast.OPERATOR, effect), false);
      refused(at, fan, "resolved otherwise", PeopleMoves.resolution(Cast.OPERATOR, !effect));
    } else if (at.facts.execution() != Execution.OUTCOME_UNKNOWN) {
      refused(at, fan, "resolved what is known", PeopleMoves.resolution(Cast.OPERATOR, false));
    }
  }

  private void leases(Situation at, Fan fan) {
    int generation = at.facts.requireGeneration().number();
    refused(
        at,
        fan,
        "a witness takes the lease",
        new HeldCallCommand.TakeLease(Cast.ALICE, generation, null, null));
    refused(
        at,
        fan,
        "a lease of another generation",
        new HeldCallCommand.TakeLease(Cast.WORKER, generation + 1, null, null));
    for (Flight each : at.flights) {
      String id = each.lease().leaseId();
      refused(at, fan, "another worker reports", report(Cast.ALICE, id));
      refused(at, fan, "a report of no lease", report(Cast.WORKER, "ls_none"));
      if (at.facts.outcome() != null && each.lease().holder().equals(Cast.WORKER.ref())) {
        refused(at, fan, "another outcome", report(Cast.WORKER, id));
      }
    }
  }

  private static HeldCallCommand report(Principal by, String lease) {
    return new HeldCallCommand.ReportOutcome(by, lease, true, CompiledPolicies.json("{'id': 9}"));
  }
}
