package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.VerdictKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the oracle knows of one call: its own reading of what the journal took, word for word and
 * without the reducer, and what happened at the tools.
 */
final class ShadowCall {

  long events;
  @Nullable Digest proposalDigest;
  List<String> dependsOn = List.of();
  int generation;
  String tool = "";
  @Nullable Digest callDigest;
  @Nullable PrincipalRef editor;
  @Nullable Contract contract;
  @Nullable Digest contractDigest;
  @Nullable VerdictKind verdict;
  long ruledEpoch;
  @Nullable Instant expiresAt;
  @Nullable String end;
  boolean succeeded;
  boolean admitted;
  boolean concluded;
  boolean acknowledged;
  boolean cancelled;
  boolean cancelWished;
  boolean resolved;
  boolean outcome;
  long readySince;
  final Map<Integer, Digest> generations = new HashMap<>();
  final Map<String, Given> evidence = new LinkedHashMap<>();
  final Set<String> revoked = new HashSet<>();
  final Set<String> stale = new HashSet<>();
  final Set<Integer> openFallbacks = new TreeSet<>();
  final Map<String, Leased> leases = new LinkedHashMap<>();
  final Map<String, Boolean> dependencies = new HashMap<>();
  final Set<String> children = new TreeSet<>();
  private final Map<String, Digest> upstream = new HashMap<>();
  final Set<String> settledChildren = new HashSet<>();
  final Map<Integer, Integer> effects = new HashMap<>();

  /** An attestation that the journal took, and under which epoch's tools it was given. */
  record Given(Attestation attestation, PrincipalRef witness, long epoch) {}

  /** A lease that the journal took. */
  static final class Leased {
    final Lease lease;
    final long at;
    boolean withoutEffect;
    boolean effect;

    Leased(Lease lease, long at) {
      this.lease = lease;
      this.at = at;
    }
  }

  /** Takes in what is written; what the event claims is judged before, by the oracle. */
  void take(HeldCallEvent event, long now) {
    events++;
    switch (event) {
      case HeldCallEvent.CallProposed it -> {
        proposalDigest = it.spec().proposalDigest();
        dependsOn = it.spec().dependsOn();
        next(it.generation());
      }
      case HeldCallEvent.CallEdited it -> {
        editor = it.generation().editor();
        next(it.generation());
      }
      case HeldCallEvent.CallRuled it -> ruled(it);
      case HeldCallEvent.AttestationAccepted it ->
          evidence.put(
              it.attestation().attestationId(),
              new Given(it.attestation(), it.witness(), ruledEpoch));
      case HeldCallEvent.AttestationRevoked it -> revoked.add(it.attestationId());
      case HeldCallEvent.FallbackOpened it -> openFallbacks.add(it.index());
      case HeldCallEvent.LeaseGranted it ->
          leases.put(it.lease().leaseId(), new Leased(it.lease(), now));
      case HeldCallEvent.LeaseEndedWithoutEffect it -> {
        Leased leased = leases.get(it.leaseId());
        if (leased != null) {
          leased.withoutEffect = true;
        }
      }
      case HeldCallEvent.OutcomeRecorded it -> {
        outcome = true;
        succeeded = it.succeeded();
      }
      case HeldCallEvent.ResultAdmitted it -> {
        admitted = true;
        concluded = true;
      }
      case HeldCallEvent.ResultQuarantined it -> concluded = true;
      case HeldCallEvent.CallCancelled it -> {
        cancelled = true;
        ended("cancelled");
      }
      case HeldCallEvent.CallExpired it -> ended("expired");
      case HeldCallEvent.CallDenied it -> ended("denied");
      case HeldCallEvent.CancelRequested it -> cancelWished = true;
      case HeldCallEvent.DeliveryAcknowledged it -> acknowledged = true;
      case HeldCallEvent.DependencySettled it -> dependencies.put(it.heldId(), true);
      case HeldCallEvent.UpstreamSeen it -> {
        Digest before = upstream.put(it.heldId(), it.upstream().callDigest());
        if (before != null && !before.equals(it.upstream().callDigest())) {
          stale.addAll(evidence.keySet());
        }
      }
      case HeldCallEvent.ChildAnnounced it -> children.add(it.heldId());
      case HeldCallEvent.ChildSettled it -> settledChildren.add(it.heldId());
      case HeldCallEvent.OutcomeResolved it -> resolved = true;
      case HeldCallEvent.AttestationRefused it -> {}
      case HeldCallEvent.AttestationExpired it -> {}
      case HeldCallEvent.AttestationKeyRevoked it -> {}
      case HeldCallEvent.RevocationCameLate it -> {}
      case HeldCallEvent.OutcomeBecameUnknown it -> {}
      case HeldCallEvent.LateEffectReported it -> {}
    }
  }

  private void next(dev.heldcall.kernel.call.Generation next) {
    generation = next.number();
    tool = next.tool();
    callDigest = next.callDigest();
    generations.put(generation, next.argsDigest());
    contract = null;
    contractDigest = null;
    verdict = null;
    openFallbacks.clear();
  }

  private void ruled(HeldCallEvent.CallRuled event) {
    Digest digest = event.ruling().contractDigest();
    if (verdict != null && !Objects.equals(contractDigest, digest)) {
      openFallbacks.clear();
      stale.addAll(evidence.keySet());
    }
    verdict = event.ruling().verdict();
    contract = event.ruling().contract();
    contractDigest = digest;
    ruledEpoch = event.ruling().epoch();
    Instant expires = event.expiresAt();
    if (expires != null && (expiresAt == null || expires.isBefore(expiresAt))) {
      expiresAt = expires;
    }
  }

  private void ended(String how) {
    end = how;
    concluded = true;
  }

  /** What the call waits for, now that dependencies and children are as they are. */
  List<String> unsettled() {
    List<String> open = new ArrayList<>();
    dependsOn.stream().filter(each -> !dependencies.containsKey(each)).forEach(open::add);
    children.stream().filter(each -> !settledChildren.contains(each)).forEach(open::add);
    return open;
  }
}
