package dev.heldcall.config;

import java.time.Duration;

/**
 * The bounds of bodies, lists, waits and queues ({@code heldcall.limits}). What goes over a bound
 * is refused or says what is left out; nothing grows without end.
 *
 * @param maxBodyBytes of a request; over it 413
 * @param maxNesting levels of a JSON body; over it 400
 * @param maxInFlight writes under way on this node; over it 503
 * @param maxWaiting requests that read or wait on this node; over it 503
 * @param maxConnections HTTP connections of this node; over it they wait to be accepted
 * @param bodyTimeout how long a request's body may take to arrive; over it 408
 * @param maxDrainBytes how much of a refused body is read so that its sender sees the refusal
 * @param maxOpenCallsPerSession held calls of one session; over it 429
 * @param maxOpenCallsPerPrincipal held calls of one principal; over it 429
 * @param maxDependencies edges one call may name
 * @param maxDependencyDepth levels of calls that wait for each other, 16 at most (the design,
 *     dependencies)
 * @param maxRefusedAttestations refusals recorded for a call; over it 429 (the design, rule 15)
 * @param maxEvidenceItems attestations shown in a status
 * @param maxExplainLines lines of an explanation
 * @param maxHistoryItems events shown in one page of a history
 * @param maxListItems items of one page of any other list
 * @param defaultListItems items of a page whose reader named no limit
 * @param maxReconcileRounds rounds to a fixed point before a call fails closed
 * @param maxWait the longest wait a request may ask for
 * @param askTimeout how long the gateway waits for an entity
 * @param passivateAfter idle time after which an entity leaves memory
 */
public record LimitSettings(
    long maxBodyBytes,
    int maxNesting,
    int maxInFlight,
    int maxWaiting,
    int maxConnections,
    Duration bodyTimeout,
    long maxDrainBytes,
    int maxOpenCallsPerSession,
    int maxOpenCallsPerPrincipal,
    int maxDependencies,
    int maxDependencyDepth,
    int maxRefusedAttestations,
    int maxEvidenceItems,
    int maxExplainLines,
    int maxHistoryItems,
    int maxListItems,
    int defaultListItems,
    int maxReconcileRounds,
    Duration maxWait,
    Duration askTimeout,
    Duration passivateAfter) {}
