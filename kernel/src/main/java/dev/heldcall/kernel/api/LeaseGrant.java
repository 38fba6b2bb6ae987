package dev.heldcall.kernel.api;

import dev.heldcall.kernel.lease.Lease;

/**
 * A client lease and the signed permit that goes with it.
 *
 * @param lease as written down
 * @param permit a compact JWS over what the lease is bound to
 */
public record LeaseGrant(Lease lease, String permit) {}
