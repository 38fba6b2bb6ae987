package dev.heldcall.kernel.explore;

import static dev.heldcall.kernel.explore.Feature.CANCEL;
import static dev.heldcall.kernel.explore.Feature.CANNOT_TELL;
import static dev.heldcall.kernel.explore.Feature.CRASH;
import static dev.heldcall.kernel.explore.Feature.DENY;
import static dev.heldcall.kernel.explore.Feature.DOUBLED_REPORTS;
import static dev.heldcall.kernel.explore.Feature.EDIT;
import static dev.heldcall.kernel.explore.Feature.FAILURE;
import static dev.heldcall.kernel.explore.Feature.HELD_BACK;
import static dev.heldcall.kernel.explore.Feature.HOSTILE;
import static dev.heldcall.kernel.explore.Feature.LATE_REPORTS;
import static dev.heldcall.kernel.explore.Feature.OTHER_FLOOR;
import static dev.heldcall.kernel.explore.Feature.POLICY_OUTAGE;
import static dev.heldcall.kernel.explore.Feature.REFUSED_CONNECTION;
import static dev.heldcall.kernel.explore.Feature.RELATIVES;
import static dev.heldcall.kernel.explore.Feature.REVOKE;
import static dev.heldcall.kernel.explore.Feature.SILENCE;
import static dev.heldcall.kernel.explore.Feature.SLOW_TOOL;
import static dev.heldcall.kernel.explore.Feature.ZOMBIE;

import java.util.List;
import java.util.Set;

/** What is explored. */
final class Scenarios {

  private static final Voice ALICE = new Voice(Cast.ALICE, "human");
  private static final Voice BOB = new Voice(Cast.BOB, "human");
  private static final Voice CI = new Voice(Cast.CI, "ci");
  private static final Voice BOTH_HUMAN = new Voice(Cast.BOTH, "human");
  private static final Voice BOTH_CI = new Voice(Cast.BOTH, "ci");

  private static final Need HUMAN = Need.one("human");
  private static final Need CHECK = Need.one("ci");

  private Scenarios() {}

  static List<Scenario> all() {
    return List.of(
        both(),
        either(),
        quorum(),
        fallback(),
        veto(),
        distinct(),
        oneIdentity(),
        otherMind(),
        laterMind(),
        hostile(),
        hostileLate(),
        hostileClient(),
        blind(),
        readBack(),
        repeated(),
        repeatedAndReadBack(),
        thrice(),
        client(),
        clientAgain(),
        looser(),
        denied(),
        moved(),
        same(),
        overtaken(),
        relatives(),
        quarantine(),
        slow());
  }

  private static Scenario both() {
    return Scenario.of(
            "a & b",
            CompiledPolicies.TRANSFER,
            Policy.of(Demand.of(new Need.Both(HUMAN, CHECK), 600)),
            ALICE,
            CI)
        .then(Policy.of(Demand.of(HUMAN, 600)))
        .attempting(1)
        .with(DENY, REVOKE, EDIT, CANCEL);
  }

  private static Scenario either() {
    return Scenario.of(
            "a | b, held when refuted",
            CompiledPolicies.BLIND,
            Policy.of(new Demand(new Need.Either(HUMAN, CHECK), Set.of(), false, true, 60)),
            ALICE,
            CI)
        .attempting(1)
        .saying(2, 30)
        .with(DENY, REVOKE, CANCEL, REFUSED_CONNECTION);
  }

  private static Scenario quorum() {
    return Scenario.of(
            "quorum(2, a)",
            CompiledPolicies.TRANSFER,
            Policy.of(Demand.of(new Need.Of(2, "human"), 600)),
            ALICE,
            BOB)
        .attempting(1)
        .saying(2, 20)
        .with(DENY, REVOKE, CRASH, POLICY_OUTAGE);
  }

  private static Scenario fallback() {
    return Scenario.of(
            "fallback",
            CompiledPolicies.BLIND,
            Policy.of(new Demand(new Need.OrLater(CHECK, 10, HUMAN), Set.of(), false, true, 40)),
            ALICE,
            CI)
        .then(Policy.of(Demand.of(HUMAN, 30)))
        .attempting(1)
        .with(DENY, REVOKE, EDIT);
  }

  private static Scenario veto() {
    return Scenario.of(
            "veto",
            CompiledPolicies.BLIND,
            Policy.of(new Demand(HUMAN, Set.of("ci"), false, true, 600)),
            ALICE,
            CI)
        .attempting(1)
        .saying(2, 900)
        .with(DENY, REVOKE, CANCEL);
  }

  private static Scenario distinct() {
    return Scenario.of(
            "distinct identities",
            CompiledPolicies.BLIND,
            Policy.of(new Demand(new Need.Both(HUMAN, CHECK), Set.of(), true, false, 600)),
            ALICE,
            BOTH_HUMAN,
            BOTH_CI)
        .with(DENY, REVOKE);
  }

  private static Scenario oneIdentity() {
    return Scenario.of(
            "a | b by one identity",
            CompiledPolicies.BLIND,
            Policy.of(new Demand(new Need.Either(HUMAN, CHECK), Set.of(), false, true, 600)),
            BOTH_HUMAN,
            BOTH_CI)
        .attempting(1)
        .with(DENY, REVOKE);
  }

  private static Scenario otherMind() {
    return Scenario.of(
            "a | b, and another mind",
            CompiledPolicies.BLIND,
            Policy.of(new Demand(new Need.Either(HUMAN, CHECK), Set.of(), false, true, 600)),
            ALICE)
        .saying(2, 900)
        .with(DENY, REVOKE);
  }

  private static Scenario laterMind() {
    return Scenario.of(
            "fallback, and another mind",
            CompiledPolicies.BLIND,
            Policy.of(new Demand(new Need.OrLater(CHECK, 10, HUMAN), Set.of(), false, true, 40)),
            ALICE,
            CI)
        .with(DENY, REVOKE);
  }

  private static Scenario hostile() {
    return Scenario.of(
            "hostile evidence",
            CompiledPolicies.TRANSFER,
            Policy.of(Demand.of(new Need.Both(HUMAN, CHECK), 600)),
            ALICE,
            CI)
        .attempting(1)
        .recording(2)
        .with(REVOKE, EDIT, HOSTILE);
  }

  private static Scenario hostileLate() {
    return Scenario.of("hostile commands", CompiledPolicies.TRANSFER, Policy.allowing())
        .attempting(1)
        .recording(1)
        .with(CANCEL, FAILURE, SILENCE, HOSTILE);
  }

  private static Scenario hostileClient() {
    return Scenario.of("hostile workers", CompiledPolicies.DESK, Policy.allowing())
        .attempting(1)
        .recording(0)
        .with(CANCEL, FAILURE, HOSTILE);
  }

  private static Scenario blind() {
    return Scenario.of("blind tool", CompiledPolicies.BLIND, Policy.of(Demand.of(HUMAN, 12)), ALICE)
        .with(
            CRASH,
            ZOMBIE,
            CANCEL,
            EDIT,
            FAILURE,
            SILENCE,
            REFUSED_CONNECTION,
            DOUBLED_REPORTS,
            LATE_REPORTS);
  }

  private static Scenario readBack() {
    return Scenario.of(
            "read-back", CompiledPolicies.TRANSFER, Policy.of(Demand.of(HUMAN, 20)), ALICE)
        .with(CRASH, ZOMBIE, CANCEL, FAILURE, SILENCE, DOUBLED_REPORTS, CANNOT_TELL);
  }

  private static Scenario repeated() {
    return Scenario.of(
            "idempotent", CompiledPolicies.CHARGE, Policy.of(Demand.of(HUMAN, 20)), ALICE)
        .then(Policy.denying())
        .with(CRASH, CANCEL, FAILURE, SILENCE);
  }

  private static Scenario repeatedAndReadBack() {
    return Scenario.of(
            "idempotent with read-back",
            CompiledPolicies.POST,
            Policy.of(Demand.of(HUMAN, 600)),
            ALICE)
        .saying(1, 25)
        .with(SILENCE, CANNOT_TELL);
  }

  private static Scenario thrice() {
    return Scenario.of("three attempts", CompiledPolicies.BLIND, Policy.allowing())
        .attempting(3)
        .with(CRASH, ZOMBIE, SILENCE, REFUSED_CONNECTION, CANCEL, EDIT);
  }

  private static Scenario client() {
    return Scenario.of("client", CompiledPolicies.DESK, Policy.of(Demand.of(HUMAN, 600)), ALICE)
        .then(Policy.of(Demand.of(new Need.Either(HUMAN, CHECK), 600)))
        .saying(2, 20)
        .with(REVOKE, CANCEL, FAILURE, HELD_BACK, POLICY_OUTAGE);
  }

  private static Scenario clientAgain() {
    return Scenario.of("idempotent client", CompiledPolicies.DESK_AGAIN, Policy.allowing())
        .then(Policy.of(Demand.of(HUMAN, 600)))
        .with(EDIT, CANCEL, FAILURE, CRASH, SLOW_TOOL);
  }

  private static Scenario looser() {
    return Scenario.of(
            "policy becomes looser",
            CompiledPolicies.TRANSFER,
            Policy.of(Demand.of(HUMAN, 60)),
            ALICE)
        .then(Policy.allowing())
        .attempting(1)
        .with(DENY, REVOKE, EDIT, CRASH, REFUSED_CONNECTION, HELD_BACK);
  }

  private static Scenario denied() {
    return Scenario.of("policy denies", CompiledPolicies.BLIND, Policy.allowing())
        .then(Policy.denying())
        .with(EDIT, CANCEL, CRASH, REFUSED_CONNECTION, HELD_BACK, POLICY_OUTAGE, OTHER_FLOOR);
  }

  private static Scenario moved() {
    Demand demand = Demand.of(HUMAN, 600);
    return Scenario.of("the tool moves", CompiledPolicies.TRANSFER, Policy.of(demand), ALICE)
        .then(Policy.movedTo(demand, CompiledPolicies.TRANSFER))
        .saying(2, 900)
        .with(CRASH, HELD_BACK);
  }

  private static Scenario same() {
    Demand demand = Demand.of(HUMAN, 600);
    return Scenario.of("the same contract", CompiledPolicies.CHARGE, Policy.of(demand), ALICE)
        .then(Policy.sameOtherwise(demand))
        .with(SILENCE, REFUSED_CONNECTION);
  }

  private static Scenario overtaken() {
    return Scenario.of("waiting for policy", CompiledPolicies.CHARGE, Policy.allowing())
        .with(SILENCE, HELD_BACK, POLICY_OUTAGE);
  }

  private static Scenario relatives() {
    return Scenario.of(
            "dependency and child", CompiledPolicies.BLIND, Policy.of(Demand.of(HUMAN, 600)), ALICE)
        .with(RELATIVES, CANCEL, EDIT, REFUSED_CONNECTION, HELD_BACK, DENY);
  }

  private static Scenario quarantine() {
    return Scenario.of("quarantine", CompiledPolicies.REPORT, Policy.allowing())
        .with(FAILURE, SILENCE, CRASH, CANCEL);
  }

  private static Scenario slow() {
    return Scenario.of("a tool slower than its bound", CompiledPolicies.TRANSFER, Policy.allowing())
        .with(SLOW_TOOL, SILENCE, CRASH);
  }
}
