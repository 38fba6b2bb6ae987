package dev.heldcall.kernel.call;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known of one held call, reduced from its journal. The facts are orthogonal:
 * lifecycle, evidence, leases, outcome, admission and delivery each say one thing, and no single
 * state stands for them. {@link HeldCallStatus} derives what is shown.
 *
 * @param spec what never changes, or null before the proposal
 * @param generation the content as it stands, or null before the proposal
 * @param ruling what policy said of it, or null before
 * @param superseded whether evidence of this generation was given under another contract
 * @param holdStarted when this generation's hold began, or null if it was never held
 * @param expiresAt from when on the call has expired, or null if it never does; never extended
 * @param lifecycle whether it may still run
 * @param end how it ended without an effect, or null
 * @param evidence accepted attestations by id, in order of arrival
 * @param openFallbacks fallbacks of the current rule that are open, by preorder index
 * @param leases every lease ever granted, oldest first
 * @param outcome what came of the effect, or null
 * @param admission whether the result may be seen
 * @param delivery whether the session has its outcome
 * @param cancelWish who first wished to cancel after dispatch, or null
 * @param lateEffect whether an effect was reported under a lease that counted as without one; it
 *     blocks further leases
 * @param dependencies the calls this one waits for
 * @param upstream what those were when they were last seen
 * @param children nested calls this one waits for, with when each was announced
 * @param settledChildren those of them that have settled
 * @param refusals how many refused attestations are on record
 * @param newestRefusals the newest of them by number, at most {@link Refusal#KEPT}
 * @param resolution how an operator closed an unknown outcome, or null
 * @param events how many events the call has had
 * @param lastEventAt when the last one was; the call's time never runs behind it
 */
public record HeldCallFacts(
    @Nullable CallSpec spec,
    @Nullable Generation generation,
    @Nullable Ruling ruling,
    boolean superseded,
    @Nullable Instant holdStarted,
    @Nullable Instant expiresAt,
    Lifecycle lifecycle,
    @Nullable CallEnd end,
    SequencedMap<String, Evidence> evidence,
    SortedSet<Integer> openFallbacks,
    List<LeaseRecord> leases,
    @Nullable CallOutcome outcome,
    Admission admission,
    Delivery delivery,
    @Nullable CallEnd cancelWish,
    boolean lateEffect,
    SortedMap<String, DependencyState> dependencies,
    SortedMap<String, Upstream> upstream,
    SortedMap<String, Instant> children,
    SortedSet<String> settledChildren,
    int refusals,
    SortedMap<Integer, Refusal> newestRefusals,
    @Nullable Resolution resolution,
    long events,
    Instant lastEventAt) {

  /** A call nobody has proposed yet. */
  public static final HeldCallFacts NONE =
      new HeldCallFacts(
          null,
          null,
          null,
          false,
          null,
          null,
          Lifecycle.OPEN,
          null,
          new LinkedHashMap<>(),
          new TreeSet<>(),
          List.of(),
          null,
          Admission.PENDING,
          Delivery.PENDING,
          null,
          false,
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeMap<>(),
          new TreeSet<>(),
          0,
          new TreeMap<>(),
          null,
          0,
          Instant.EPOCH);

  public HeldCallFacts {
    evidence = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(evidence));
    openFallbacks = Collections.unmodifiableSortedSet(new TreeSet<>(openFallbacks));
    leases = List.copyOf(leases);
    dependencies = Collections.unmodifiableSortedMap(new TreeMap<>(dependencies));
    upstream = Collections.unmodifiableSortedMap(new TreeMap<>(upstream));
    children = Collections.unmodifiableSortedMap(new TreeMap<>(children));
    settledChildren = Collections.unmodifiableSortedSet(new TreeSet<>(settledChildren));
    newestRefusals = Collections.unmodifiableSortedMap(new TreeMap<>(newestRefusals));
  }

  /** Whether somebody proposed the call. */
  public boolean proposed() {
    return spec != null && generation != null;
  }

  /**
   * What never changes over the call's life.
   *
   * @throws IllegalStateException before the proposal
   */
  public CallSpec requireSpec() {
    CallSpec known = spec;
    if (known == null) {
      throw new IllegalStateException("no call was proposed");
    }
    return known;
  }

  /**
   * The content as it stands.
   *
   * @throws IllegalStateException before the proposal
   */
  public Generation requireGeneration() {
    Generation known = generation;
    if (known == null) {
      throw new IllegalStateException("no call was proposed");
    }
    return known;
  }

  /** The newest lease, or null if none was ever granted. */
  public @Nullable LeaseRecord lastLease() {
    return leases.isEmpty() ? null : leases.getLast();
  }

  /** The lease with the id, or null. */
  public @Nullable LeaseRecord lease(String leaseId) {
    for (LeaseRecord candidate : leases) {
      if (candidate.lease().leaseId().equals(leaseId)) {
        return candidate;
      }
    }
    return null;
  }

  /** How far the effect is; an older lease that is still unknown outweighs a newer proof. */
  public Execution execution() {
    if (outcome != null) {
      return Execution.EFFECT_RECORDED;
    }
    LeaseRecord last = lastLease();
    if (last == null) {
      return Execution.NONE;
    }
    if (last.state() == LeaseState.DISPATCHED) {
      return Execution.LEASED;
    }
    return lateEffect || !unknownLeases().isEmpty() ? Execution.OUTCOME_UNKNOWN : Execution.NONE;
  }

  /** The leases of which nobody knows what came, oldest first. */
  public List<LeaseRecord> unknownLeases() {
    return leases.stream().filter(each -> each.state() == LeaseState.UNKNOWN).toList();
  }

  /** How many leases the current generation has had. */
  public int attempts() {
    int number = requireGeneration().number();
    return (int)
        leases.stream().filter(each -> each.lease().token().generation() == number).count();
  }

  /** Whether an effect was dispatched that is not proven to have had none. */
  public boolean dispatched() {
    return execution() != Execution.NONE;
  }

  /** Whether the call is open and nothing was dispatched: it can still be changed or ended. */
  public boolean undecided() {
    return proposed() && lifecycle == Lifecycle.OPEN && !dispatched();
  }

  /** Whether the session's one outcome is final: a result or a refusal. */
  public boolean concluded() {
    return admission != Admission.PENDING || lifecycle != Lifecycle.OPEN;
  }

  /** Whether everything that this call waits for has come to its end. */
  public boolean dependenciesDone() {
    return dependencies.values().stream().allMatch(each -> each == DependencyState.SATISFIED)
        && settledChildren.containsAll(children.keySet());
  }

  /** The call's own time: the later of the node's clock and the last event (rule 11). */
  public Instant now(Instant nodeClock) {
    return nodeClock.isBefore(lastEventAt) ? lastEventAt : nodeClock;
  }
}
