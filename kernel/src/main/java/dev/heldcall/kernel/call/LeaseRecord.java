package dev.heldcall.kernel.call;

import dev.heldcall.kernel.lease.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A lease and what is known of its dispatch.
 *
 * @param lease as granted
 * @param state what is known
 * @param note how that is known, or null while it is under way
 */
public record LeaseRecord(Lease lease, LeaseState state, @Nullable String note) {

  LeaseRecord as(LeaseState newState, String why) {
    return new LeaseRecord(lease, newState, why);
  }
}
