package dev.heldcall.kernel.call;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.ALLOW;
import static dev.heldcall.kernel.call.CoreFixtures.BOB;
import static dev.heldcall.kernel.call.CoreFixtures.CAROL;
import static dev.heldcall.kernel.call.CoreFixtures.CI;
import static dev.heldcall.kernel.call.CoreFixtures.DENY;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.demand;
import static dev.heldcall.kernel.call.CoreFixtures.json;

import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Boundary;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Calls in every kind of state, by what happened to them. */
public final class LiveCalls {

  /** Two calls that {@link #waiting()} waits for: a dependency and a child. */
  public static final String DEPENDENCY = "hc_dependency";

  public static final String CHILD = "hc_child";

  private LiveCalls() {}

  /** Each by the name of its state; together they have had every event there is. */
  public static Map<String, LiveCall> all() {
    Map<String, LiveCall> calls = new LinkedHashMap<>();
    calls.put("held", LiveCall.proposed(HUMAN, "transfer"));
    calls.put("evidence of every kind", evidence());
    calls.put("waiting for others", waiting());
    calls.put("edited", edited());
    calls.put("leased", leased("transfer"));
    calls.put("leased to a client", clientLeased());
    calls.put("unknown", unknown());
    calls.put("retried after no effect", retried());
    calls.put("admitted", admitted());
    calls.put("admitted nothing", admittedNothing());
    calls.put("failed", failed());
    calls.put("quarantined", quarantined());
    calls.put("acknowledged", acknowledged());
    calls.put("cancelled", cancelled());
    calls.put("expired", expired());
    calls.put("denied", LiveCall.proposed(DENY, "transfer"));
    calls.put("resolved", resolved());
    calls.put("late effect", lateEffect());
    return calls;
  }

  /** Their journals. */
  public static Map<String, List<HeldCallEvent>> journals() {
    Map<String, List<HeldCallEvent>> journals = new LinkedHashMap<>();
    all().forEach((name, call) -> journals.put(name, call.journal()));
    return journals;
  }

  static LiveCall evidence() {
    LiveCall call = LiveCall.proposed(demand("fallback(ci, 1m, quorum(3, human))"), "transfer");
    call.approve(ALICE);
    call.approve(BOB);
    call.run(new HeldCallCommand.RevokeAttestation(BOB, "a-2", null));
    call.run(
        new HeldCallCommand.RefuseAttestation(CI, null, true, "not a witness of it", List.of()));
    call.attestSigned(CAROL, AttestationDecision.APPROVE, "k-1");
    call.key("k-1", KeyStanding.REVOKED).tick();
    call.advance(Duration.ofMinutes(2)).tick();
    call.deny(CI);
    return call;
  }

  static LiveCall waiting() {
    LiveCall call = LiveCall.under(HUMAN);
    call.run(
        LiveCall.propose(
            new Proposal(
                "s-1",
                "t-1",
                "c-1",
                Boundary.TOOL,
                "transfer",
                json("{'amount': 1, 'rate': 0.1}"),
                null,
                List.of(DEPENDENCY, "hc_other"),
                null,
                Preferences.NONE)));
    call.run(new HeldCallCommand.AnnounceChild(CHILD));
    call.run(
        new HeldCallCommand.ReportDependency(
            DEPENDENCY,
            DependencyState.SATISFIED,
            false,
            "succeeded",
            new Upstream(CoreFixtures.OTHER_DIGEST, CoreFixtures.OTHER_DIGEST)));
    call.run(
        new HeldCallCommand.ReportDependency(CHILD, DependencyState.SATISFIED, true, "concluded"));
    return call;
  }

  static LiveCall edited() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    call.edit("{'amount': 2}");
    return call;
  }

  /** Held, witnessed and leased. */
  public static LiveCall leased(String tool) {
    LiveCall call = LiveCall.proposed(HUMAN, tool);
    call.approve(ALICE);
    return call;
  }

  static LiveCall clientLeased() {
    LiveCall call = leased("desk");
    call.take(AGENT, "key-1");
    return call;
  }

  static LiveCall unknown() {
    LiveCall call = leased("transfer");
    call.unknown();
    call.cancel();
    return call;
  }

  static LiveCall retried() {
    LiveCall call = leased("transfer");
    call.noEffect();
    call.advance(Duration.ofSeconds(3)).tick();
    return call;
  }

  /** Concluded, with a result. */
  public static LiveCall admitted() {
    LiveCall call = leased("transfer");
    call.answered("{'id': 1, 'fee': 0.25, 'note': null}");
    return call;
  }

  static LiveCall admittedNothing() {
    LiveCall call = leased("transfer");
    call.answered("null");
    return call;
  }

  static LiveCall failed() {
    LiveCall call = LiveCall.proposed(ALLOW, "transfer");
    call.failed("{'error': 'no such account'}");
    return call;
  }

  /** Concluded, with a result that nobody may see. */
  public static LiveCall quarantined() {
    LiveCall call = leased("report");
    call.answered("{'canary': 'secret'}");
    return call;
  }

  /** Concluded and acknowledged. */
  public static LiveCall acknowledged() {
    LiveCall call = admitted();
    call.acknowledge();
    return call;
  }

  /** Cancelled while it was held. */
  public static LiveCall cancelled() {
    LiveCall call = LiveCall.proposed(HUMAN, "transfer");
    call.approve(CI);
    call.cancel();
    call.run(new HeldCallCommand.RevokeAttestation(CI, "a-1", "too late"));
    return call;
  }

  static LiveCall expired() {
    LiveCall call = LiveCall.proposed(demand("human", "{'expires_s': 7200}"), "transfer");
    call.approve(CI);
    call.advance(Duration.ofHours(1)).tick();
    call.advance(Duration.ofHours(2)).tick();
    return call;
  }

  static LiveCall resolved() {
    LiveCall call = leased("blind");
    call.unknown();
    call.resolve(true);
    return call;
  }

  static LiveCall lateEffect() {
    LiveCall call = leased("transfer");
    call.noEffect();
    call.answered("{'id': 1}");
    return call;
  }
}
