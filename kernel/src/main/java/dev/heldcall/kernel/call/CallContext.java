package dev.heldcall.kernel.call;

import dev.heldcall.kernel.lease.LeaseRules;
import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.kernel.witness.KeyStandings;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a decision may know beside the facts.
 *
 * @param now the node's clock, in whole milliseconds as times are written; the call's time is the
 *     later of it and the last event
 * @param policy the policy as last read, or null if it could not be read
 * @param terms what leases are granted under
 * @param running leases whose executor runs in this incarnation of the entity
 * @param cannotTell leases whose read-back could not tell in this incarnation
 * @param refusalBound refused attestations that are recorded, 200 (rule 15)
 */
public record CallContext(
    Instant now,
    @Nullable PolicyInForce policy,
    LeaseRules.Terms terms,
    Set<String> running,
    Set<String> cannotTell,
    int refusalBound) {

  public CallContext {
    now = now.truncatedTo(ChronoUnit.MILLIS);
    running = Set.copyOf(running);
    cannotTell = Set.copyOf(cannotTell);
  }

  /** How the keys stand that evidence was signed with; of none is it known without a policy. */
  public KeyStandings keys() {
    PolicyInForce known = policy;
    return known == null ? (owner, key) -> KeyStanding.UNKNOWN : known.keys();
  }

  /**
   * The policy if it was read for this command, else null. One that is older than the policy that
   * ruled on the call is not: its read began before the facts became what they are, as when it
   * comes back after another incarnation has written, and nothing may rest on it (rule 6).
   */
  public @Nullable PolicyInForce freshPolicy(HeldCallFacts facts) {
    PolicyInForce known = policy;
    Ruling ruling = facts.ruling();
    boolean older = known != null && ruling != null && known.epoch() < ruling.epoch();
    return known != null && known.fresh() && !older ? known : null;
  }
}
