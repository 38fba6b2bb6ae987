package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Principal;
import org.jspecify.annotations.Nullable;

/** What proposer, witnesses and operator do, as they should. */
final class PeopleMoves implements Moves {

  private final Scenario scenario;
  private final Incarnation incarnation;

  PeopleMoves(Scenario scenario, Incarnation incarnation) {
    this.scenario = scenario;
    this.incarnation = incarnation;
  }

  @Override
  public void from(Situation at, Fan fan) {
    if (!at.facts.proposed()) {
      say(fan, "propose", at, propose("{'amount': 1}"), Incarnation.Reaction.NONE);
      return;
    }
    for (int voice = 0; voice < scenario.voices().size(); voice++) {
      witness(at, fan, voice);
    }
    proposer(at, fan);
    operator(at, fan);
  }

  private void say(
      Fan fan, String name, Situation at, HeldCallCommand command, Incarnation.Reaction reaction) {
    incarnation.hears(fan, name, Fan.FAULT, at, command, reaction);
  }

  HeldCallCommand propose(String args) {
    return new HeldCallCommand.ProposeCall(
        Cast.AGENT, Cast.proposal(scenario, args), "s-1", Cast.PLUGINS);
  }

  private void witness(Situation at, Fan fan, int voice) {
    boolean open = at.facts.undecided() && at.heldUnder != null;
    if (open && at.said(voice) < scenario.statements() && at.second < scenario.evidenceUntil()) {
      attest(at, fan, voice, true);
      if (scenario.has(Feature.DENY)) {
        attest(at, fan, voice, false);
      }
    }
    Statement last = last(at, voice);
    boolean late = at.facts.dispatched() || at.facts.concluded();
    if (last != null && !last.revoked() && scenario.has(Feature.REVOKE) && !late) {
      revoke(at, fan, scenario.voices().get(voice).who(), last);
    }
  }

  static @Nullable Statement last(Situation at, int voice) {
    Statement last = null;
    for (Statement each : at.statements) {
      last = each.voice() == voice ? each : last;
    }
    return last;
  }

  private void attest(Situation at, Fan fan, int voice, boolean approves) {
    Voice speaker = scenario.voices().get(voice);
    Attestation attestation =
        attestation(
            scenario,
            at,
            "a-" + voice + "-" + at.statements.size(),
            speaker.witnessClass(),
            approves);
    say(
        fan,
        (approves ? "approve " : "deny ") + speaker.who().id() + " as " + speaker.witnessClass(),
        at,
        new HeldCallCommand.Attest(speaker.who(), attestation),
        Incarnation.Reaction.NONE);
  }

  /** An attestation bound to the call as its facts show it. */
  static Attestation attestation(
      Scenario scenario, Situation at, String id, String witnessClass, boolean approves) {
    Ruling ruling = at.facts.ruling();
    Digest contract = ruling == null ? null : ruling.contractDigest();
    return new Attestation(
        id,
        at.facts.requireGeneration().number(),
        at.facts.requireGeneration().callDigest(),
        contract == null ? Cast.OTHER : contract,
        witnessClass,
        approves ? AttestationDecision.APPROVE : AttestationDecision.DENY,
        null,
        null,
        Cast.START,
        Cast.START.plusSeconds(scenario.evidenceUntil()),
        null);
  }

  void revoke(Situation at, Fan fan, Principal by, Statement statement) {
    say(
        fan,
        by.id() + " revokes " + statement.attestation().attestationId(),
        at,
        new HeldCallCommand.RevokeAttestation(by, statement.attestation().attestationId(), null),
        (next, answer) -> {
          if (answer instanceof Answer.Stands) {
            next.statements =
                next.statements.stream()
                    .map(each -> each.equals(statement) ? each.takenBack() : each)
                    .toList();
          }
        });
  }

  private void proposer(Situation at, Fan fan) {
    HeldCallFacts facts = at.facts;
    if (scenario.has(Feature.EDIT) && !at.edited && !facts.concluded()) {
      say(
          fan,
          "edit",
          at,
          new HeldCallCommand.EditCall(
              Cast.AGENT,
              facts.requireGeneration().number(),
              null,
              CompiledPolicies.json("{'amount': 2}")),
          Incarnation.Reaction.NONE);
    }
    if (scenario.has(Feature.CANCEL) && facts.cancelWish() == null && !facts.concluded()) {
      say(
          fan,
          "cancel",
          at,
          new HeldCallCommand.CancelCall(Cast.AGENT, null),
          (next, answer) -> next.wishedToCancel = true);
    }
    if (facts.concluded()) {
      say(
          fan,
          "acknowledge",
          at,
          new HeldCallCommand.AcknowledgeDelivery(Cast.AGENT, OutcomeJson.deliveryId(facts)),
          Incarnation.Reaction.NONE);
    }
  }

  /** An operator looks into the world and says what is there; too early, if it likes. */
  private void operator(Situation at, Fan fan) {
    if (at.facts.execution() == Execution.OUTCOME_UNKNOWN
        && at.facts.lifecycle() == Lifecycle.OPEN) {
      boolean effect = !at.effects.isEmpty();
      say(
          fan,
          "operator resolves: " + (effect ? "effect" : "no effect"),
          at,
          resolution(Cast.OPERATOR, effect),
          Incarnation.Reaction.NONE);
    }
  }

  static HeldCallCommand resolution(Principal by, boolean effect) {
    return new HeldCallCommand.ResolveOutcome(
        by,
        effect,
        effect ? CompiledPolicies.json("{'id': 7}") : null,
        CompiledPolicies.json("{'ticket': 'T-1'}"));
  }
}
