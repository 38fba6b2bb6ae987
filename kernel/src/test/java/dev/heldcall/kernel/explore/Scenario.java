package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.lease.LeaseRules;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One explored configuration: a tool, a policy and perhaps the next one, who may witness, what may
 * go wrong, and how much of it. Every bound is here, so that a scenario is finite.
 *
 * @param name one word or a few
 * @param tool the tool that is called
 * @param first the policy of epoch 1
 * @param second the policy of epoch 2, or null if policy stays
 * @param voices who may witness
 * @param statements how many attestations each voice gives at most
 * @param evidenceUntil the second at which every attestation has expired
 * @param attempts leases of one generation
 * @param refusals how many refused attestations are recorded
 * @param features what may happen
 */
record Scenario(
    String name,
    String tool,
    Policy first,
    @Nullable Policy second,
    List<Voice> voices,
    int statements,
    int evidenceUntil,
    int attempts,
    int refusals,
    Set<Feature> features) {

  static Scenario of(String name, String tool, Policy policy, Voice... voices) {
    return new Scenario(
        name, tool, policy, null, List.of(voices), 1, 900, 2, 200, EnumSet.noneOf(Feature.class));
  }

  Scenario then(Policy next) {
    return new Scenario(
        name, tool, first, next, voices, statements, evidenceUntil, attempts, refusals, features);
  }

  Scenario saying(int count, int until) {
    return new Scenario(
        name, tool, first, second, voices, count, until, attempts, refusals, features);
  }

  Scenario attempting(int count) {
    return new Scenario(
        name, tool, first, second, voices, statements, evidenceUntil, count, refusals, features);
  }

  Scenario recording(int bound) {
    return new Scenario(
        name, tool, first, second, voices, statements, evidenceUntil, attempts, bound, features);
  }

  Scenario with(Feature... more) {
    EnumSet<Feature> all = EnumSet.noneOf(Feature.class);
    all.addAll(features);
    all.addAll(List.of(more));
    return new Scenario(
        name, tool, first, second, voices, statements, evidenceUntil, attempts, refusals, all);
  }

  /** The same with more of everything that is counted. */
  Scenario deeper() {
    return saying(statements + 1, evidenceUntil).attempting(attempts + 1);
  }

  boolean has(Feature feature) {
    return features.contains(feature);
  }

  /** Whether what the world shows is true: a tool that is slow beyond its bound deceives. */
  boolean honest() {
    return !has(Feature.SLOW_TOOL);
  }

  /** Whether the tool honours its idempotency key. */
  boolean idempotent() {
    return tool.equals(CompiledPolicies.CHARGE)
        || tool.equals(CompiledPolicies.POST)
        || tool.equals(CompiledPolicies.DESK_AGAIN);
  }

  /** Whether its client runs the tool. */
  boolean client() {
    return tool.startsWith(CompiledPolicies.DESK);
  }

  Policy policy(long epoch) {
    Policy next = second;
    return epoch == 1 || next == null ? first : next;
  }

  LeaseRules.Terms terms() {
    return new LeaseRules.Terms(
        Duration.ofSeconds(10), attempts, Duration.ofSeconds(1), Duration.ofMinutes(5));
  }
}
