package dev.heldcall.kernel.api;

import java.time.Instant;

/**
 * A witness request that somebody has taken from the queue.
 *
 * @param claimId the claim
 * @param witnessClass the class that is asked for
 * @param claimedUntil from when on others are handed the request again
 * @param call the call as it stands; a claimer sees of it what any witness does
 */
public record ClaimedRequest(
    String claimId, String witnessClass, Instant claimedUntil, CallView call) {}
