package dev.heldcall.kernel.lease;

import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The permission for one dispatch, written down before anything is sent (the effect protocol, step
 * 3). Everything it is bound to is in it.
 *
 * @param leaseId unique over all calls
 * @param heldId the call
 * @param token fences older leases of the call
 * @param executor who runs the tool
 * @param holder who took it: the proposer or a worker for {@code client}, else the proposer
 * @param worker the worker's own name, or null
 * @param requestKey the Idempotency-Key it was asked with, or null
 * @param callDigest the exact call
 * @param pluginSetDigest the plugin set in force
 * @param policyVersion the policy in force
 * @param epoch its epoch
 * @param toolDigest the tool's entry, or null for a gate
 * @param idempotencyKey {@code held_id.generation}: the same for every lease of a generation
 * @param grantedAt when it was written
 * @param deadline after which no answer counts as its own
 * @param settlesAt when a proof of no effect begins to count: deadline plus settle
 * @param firstDispatchAt when the first lease of this generation was granted
 */
public record Lease(
    String leaseId,
    String heldId,
    FencingToken token,
    ExecutorKind executor,
    PrincipalRef holder,
    @Nullable String worker,
    @Nullable String requestKey,
    Digest callDigest,
    Digest pluginSetDigest,
    Digest policyVersion,
    long epoch,
    @Nullable Digest toolDigest,
    String idempotencyKey,
    Instant grantedAt,
    Instant deadline,
    Instant settlesAt,
    Instant firstDispatchAt) {}
