package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.session.SessionEvent;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.PrincipalRef;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Judges by what happened: what witnesses gave, clients were told, the journal took, the mailbox
 * has and the tools did. It shares no code with the core but the vocabulary. The first violation
 * ends the run.
 */
final class Oracle {

  private final Simulation world;
  private final Map<String, ShadowCall> calls = new LinkedHashMap<>();
  private final Map<String, Attestation> given = new HashMap<>();
  private final Map<String, PrincipalRef> givers = new HashMap<>();
  private final Map<String, Long> givenAt = new HashMap<>();
  private final Map<String, Long> wantedAt = new HashMap<>();
  private final Map<String, String> contents = new HashMap<>();
  private final Map<String, String> deliveries = new HashMap<>();
  private final WaitsFor waits = new WaitsFor();
  private final LeaseJudge leases;
  private final AnswerJudge answers;
  private @Nullable String violation;

  Oracle(Simulation world) {
    this.world = world;
    this.leases = new LeaseJudge(world, this);
    this.answers = new AnswerJudge(this);
  }

  /** Something that must not be. */
  void broken(String what) {
    if (violation == null) {
      violation = what;
      world.trace().note("oracle", "VIOLATION", () -> what);
    }
  }

  void demand(boolean holds, String heldId, String what) {
    if (!holds) {
      broken(world.shortName(heldId) + ": " + what);
    }
  }

  @Nullable String violation() {
    return violation;
  }

  Map<String, ShadowCall> calls() {
    return calls;
  }

  ShadowCall call(String heldId) {
    return calls.computeIfAbsent(heldId, key -> new ShadowCall());
  }

  /** A client begins to want a proposal or an edit: the policy it is judged by is not older. */
  void wanted(String heldId, String what) {
    wantedAt.putIfAbsent(heldId + what, world.timeline().now());
  }

  /** A witness begins to send an attestation. */
  void given(String heldId, Attestation attestation, PrincipalRef witness) {
    String key = heldId + attestation.attestationId();
    given.putIfAbsent(key, attestation);
    givers.putIfAbsent(key, witness);
    givenAt.putIfAbsent(key, world.timeline().now());
  }

  /** When the lease was written, or now if it never was. */
  long leasedAt(Lease lease) {
    ShadowCall.Leased leased = call(lease.heldId()).leases.get(lease.leaseId());
    return leased == null ? world.timeline().now() : leased.at;
  }

  /** The journal took events. */
  void appended(String id, List<? extends Object> events, HeldCallFacts facts) {
    for (Object event : events) {
      if (event instanceof HeldCallEvent ofCall) {
        appended(id, ofCall);
      } else if (event instanceof SessionEvent.CallLinked linked) {
        List<String> cycle = waits.link(linked.heldId(), linked.dependsOn(), linked.parent());
        if (!cycle.isEmpty()) {
          broken("calls wait for one another: " + cycle.stream().map(world::shortName).toList());
        }
      }
    }
    if (!id.startsWith("session|")) {
      world.workers().changed(id, facts);
      world.operators().changed(id, facts);
    }
  }

  private void appended(String heldId, HeldCallEvent event) {
    ShadowCall call = call(heldId);
    long now = world.timeline().now();
    switch (event) {
      case HeldCallEvent.CallProposed it -> call.readySince = wantedAt(heldId + "proposal");
      case HeldCallEvent.CallEdited it ->
          call.readySince = wantedAt(heldId + "edit " + (it.generation().number() - 1));
      case HeldCallEvent.CallRuled it -> leases.ruled(call, it);
      case HeldCallEvent.AttestationAccepted it -> accepted(heldId, call, it);
      case HeldCallEvent.LeaseGranted it -> leases.granted(heldId, call, it.lease());
      case HeldCallEvent.LeaseEndedWithoutEffect it -> leases.withoutEffect(heldId, call, it);
      case HeldCallEvent.OutcomeRecorded it -> leases.outcome(heldId, call, it);
      case HeldCallEvent.DependencySettled it -> leases.settled(heldId, it.heldId(), it.state());
      case HeldCallEvent.CallCancelled it -> leases.ended(heldId, call);
      case HeldCallEvent.CallExpired it -> leases.ended(heldId, call);
      case HeldCallEvent.CallDenied it -> leases.ended(heldId, call);
      case HeldCallEvent.DeliveryAcknowledged it ->
          demand(call.concluded, heldId, "an acknowledgement of what is not concluded");
      default -> {}
    }
    call.take(event, now);
  }

  private long wantedAt(String key) {
    return wantedAt.getOrDefault(key, 0L);
  }

  private void accepted(String heldId, ShadowCall call, HeldCallEvent.AttestationAccepted event) {
    String key = heldId + event.attestation().attestationId();
    demand(
        event.attestation().equals(given.get(key)) && event.witness().equals(givers.get(key)),
        heldId,
        "an attestation counts that no witness gave: " + event.attestation().attestationId());
    demand(
        !call.evidence.containsKey(event.attestation().attestationId()),
        heldId,
        "an attestation was taken twice");
    if (!leases.witnessed(call, event.meta().at())) {
      call.readySince = Math.max(call.readySince, givenAt.getOrDefault(key, 0L));
    }
  }

  /** An incarnation holds its write for done and these for the facts. */
  void written(String heldId, long sequence, HeldCallFacts facts) {
    if (sequence == world.journal().size(heldId)) {
      demand(
          facts.equals(world.journal().facts(heldId)),
          heldId,
          "what is in memory is not what the journal says");
    } else {
      demand(
          sequence < world.journal().size(heldId),
          heldId,
          "a write was reported that was not made");
    }
  }

  /** A tool or a worker had the effect. */
  void effect(Lease lease) {
    leases.effect(lease);
  }

  /** A client is told something. */
  void said(String heldId, HeldCallCommand command, CallReply reply) {
    demand(
        reply.sequence() <= world.journal().size(heldId),
        heldId,
        "an answer before the journal write that it reports");
    answers.judge(heldId, command, reply);
  }

  /** A conclusion is offered to the mailbox. */
  void offered(String heldId, String deliveryId, String content) {
    demand(call(heldId).concluded, heldId, "a delivery before the conclusion is in the journal");
    String first = contents.putIfAbsent(deliveryId, content);
    demand(
        first == null || first.equals(content),
        heldId,
        "one delivery with two contents: " + first + " and " + content);
    String delivery = deliveries.putIfAbsent(heldId, deliveryId);
    demand(delivery == null || delivery.equals(deliveryId), heldId, "two deliveries of one call");
    demand(!content.contains("ignore all previous"), heldId, "quarantined content in a delivery");
  }

  /** The mailbox marks a delivery acknowledged. */
  void marked(String heldId) {
    demand(call(heldId).acknowledged, heldId, "marked acknowledged before the journal says so");
  }

  /** Who waits for whom, as the sessions' journals have it. */
  WaitsFor waits() {
    return Objects.requireNonNull(waits);
  }
}
