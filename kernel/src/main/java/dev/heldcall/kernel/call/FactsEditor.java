package dev.heldcall.kernel.call;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The reducer's scratch copy of the facts; nothing else makes facts. */
final class FactsEditor {

  @Nullable CallSpec spec;
  @Nullable Generation generation;
  @Nullable Ruling ruling;
  boolean superseded;
  @Nullable Instant holdStarted;
  @Nullable Instant expiresAt;
  Lifecycle lifecycle;
  @Nullable CallEnd end;
  final LinkedHashMap<String, Evidence> evidence;
  final TreeSet<Integer> openFallbacks;
  final List<LeaseRecord> leases;
  @Nullable CallOutcome outcome;
  Admission admission;
  Delivery delivery;
  @Nullable CallEnd cancelWish;
  boolean lateEffect;
  final TreeMap<String, DependencyState> dependencies;
  final TreeMap<String, Upstream> upstream;
  final TreeMap<String, Instant> children;
  final TreeSet<String> settledChildren;
  int refusals;
  final TreeMap<Integer, Refusal> newestRefusals;
  @Nullable Resolution resolution;

  /** Whether the event was reduced before: its number is none above the last one's. */
  final boolean told;

  private final long events;
  private final Instant lastEventAt;

  FactsEditor(HeldCallFacts facts, EventMeta meta) {
    spec = facts.spec();
    generation = facts.generation();
    ruling = facts.ruling();
    superseded = facts.superseded();
    holdStarted = facts.holdStarted();
    expiresAt = facts.expiresAt();
    lifecycle = facts.lifecycle();
    end = facts.end();
    evidence = new LinkedHashMap<>(facts.evidence());
    openFallbacks = new TreeSet<>(facts.openFallbacks());
    leases = new ArrayList<>(facts.leases());
    outcome = facts.outcome();
    admission = facts.admission();
    delivery = facts.delivery();
    cancelWish = facts.cancelWish();
    lateEffect = facts.lateEffect();
    dependencies = new TreeMap<>(facts.dependencies());
    upstream = new TreeMap<>(facts.upstream());
    children = new TreeMap<>(facts.children());
    settledChildren = new TreeSet<>(facts.settledChildren());
    refusals = facts.refusals();
    newestRefusals = new TreeMap<>(facts.newestRefusals());
    resolution = facts.resolution();
    long number = EventIds.number(meta.eventId());
    told = number > 0 && number <= facts.events();
    events = Math.max(facts.events(), number);
    lastEventAt = meta.at().isBefore(facts.lastEventAt()) ? facts.lastEventAt() : meta.at();
  }

  void changeLease(String leaseId, UnaryOperator<LeaseRecord> change) {
    leases.replaceAll(each -> each.lease().leaseId().equals(leaseId) ? change.apply(each) : each);
  }

  HeldCallFacts build() {
    return new HeldCallFacts(
        spec,
        generation,
        ruling,
        superseded,
        holdStarted,
        expiresAt,
        lifecycle,
        end,
        evidence,
        openFallbacks,
        leases,
        outcome,
        admission,
        delivery,
        cancelWish,
        lateEffect,
        dependencies,
        upstream,
        children,
        settledChildren,
        refusals,
        newestRefusals,
        resolution,
        events,
        lastEventAt);
  }
}
