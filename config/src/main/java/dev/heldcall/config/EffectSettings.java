package dev.heldcall.config;

import java.time.Duration;

/**
 * Timing and attempts of the effect protocol ({@code heldcall.effect}).
 *
 * @param settle how long after a lease's deadline a read-back's "no effect" starts to count (the
 *     design, rule 2)
 * @param dispatchWindow how long after its lease was persisted an executor may still send (the
 *     design, rule 2)
 * @param maxAttempts leases of one generation after proofs of no effect, 1 to 100 (the design, rule
 *     5)
 * @param maxAnswerBytes a tool's answer over this is an outcome with cut, digested content
 * @param connectTimeout how long a connection to a tool may take to open
 * @param maxConnections to tools, open at once on this node; what gets none in its time to send is
 *     not sent
 * @param readBackTimeout how long one read-back may take
 * @param readBackPause the pause before the second read-back; doubled after each
 * @param readBackPauseMax the longest such pause
 */
public record EffectSettings(
    Duration settle,
    Duration dispatchWindow,
    int maxAttempts,
    long maxAnswerBytes,
    Duration connectTimeout,
    int maxConnections,
    Duration readBackTimeout,
    Duration readBackPause,
    Duration readBackPauseMax) {}
