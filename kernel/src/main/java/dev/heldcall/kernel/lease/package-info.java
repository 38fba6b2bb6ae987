/**
 * Leases: the permission to dispatch once, with its fencing token and deadline. Read {@link
 * dev.heldcall.kernel.lease.LeaseRules} first. Pure.
 */
@NullMarked
package dev.heldcall.kernel.lease;

import org.jspecify.annotations.NullMarked;
