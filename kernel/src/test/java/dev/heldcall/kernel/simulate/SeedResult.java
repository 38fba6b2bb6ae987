package dev.heldcall.kernel.simulate;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of a seed.
 *
 * @param live whether its faults stopped
 * @param steps how much happened
 * @param digest equal for two runs that went the same way
 * @param struck how often each fault struck, those that did not are not in it
 * @param violation what was broken first, or null
 * @param lines what happened, if it was replayed
 */
record SeedResult(
    long seed,
    boolean live,
    long steps,
    long digest,
    Map<Fault, Long> struck,
    @Nullable String violation,
    List<String> lines) {}
