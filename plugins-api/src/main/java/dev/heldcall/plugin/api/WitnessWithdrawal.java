package dev.heldcall.plugin.api;

/**
 * A request that is no longer wanted.
 *
 * @param requestId the request
 * @param heldId the call
 * @param tool the tool, for words to a person
 * @param reference what the other side names it by
 * @param reason why: how the call stands now
 */
public record WitnessWithdrawal(
    String requestId, String heldId, String tool, String reference, String reason) {}
