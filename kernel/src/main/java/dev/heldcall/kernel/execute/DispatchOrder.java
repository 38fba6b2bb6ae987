package dev.heldcall.kernel.execute;

import dev.heldcall.kernel.call.CallSpec;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.ToolEntry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one dispatch, or one question about it, needs.
 *
 * @param lease the lease, already in the journal
 * @param spec the call it belongs to
 * @param generation the generation that the lease is for
 * @param tool the tool's entry as it was revalidated, or null for a gate
 * @param permit signs the permit; only what sends one asks for it, because a signature is dear
 * @param persistedNanos {@code System.nanoTime()} of this process when the lease's write returned
 *     (the design, rule 2); a read-back ignores it
 */
public record DispatchOrder(
    Lease lease,
    CallSpec spec,
    Generation generation,
    @Nullable ToolEntry tool,
    Supplier<String> permit,
    long persistedNanos) {

  /** Without the permit, which lets its bearer have the effect until the deadline. */
  @Override
  public String toString() {
    return "DispatchOrder[" + lease.heldId() + ", " + lease.token() + ", " + lease.leaseId() + "]";
  }
}
