package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import org.jspecify.annotations.Nullable;

/**
 * What an attestation must be bound to: the call as it stands at this moment.
 *
 * @param heldId the call
 * @param generation its current generation, from 1
 * @param callDigest the current generation's digest
 * @param contractDigest the digest of the contract in force, or null if it has none
 * @param openForEvidence whether evidence still changes anything: the call is open and its effect
 *     is not dispatched
 * @param closedReason why it does not, for a person; read only if {@code openForEvidence} is false
 * @param proposer who proposed the call
 * @param editor who made this generation by an edit, or null
 * @param contract the contract in force, or null if it has none
 * @param supplied what the proposer itself has said
 */
public record CallBinding(
    String heldId,
    int generation,
    Digest callDigest,
    @Nullable Digest contractDigest,
    boolean openForEvidence,
    String closedReason,
    Principal proposer,
    @Nullable PrincipalRef editor,
    @Nullable Contract contract,
    Supplied supplied) {}
