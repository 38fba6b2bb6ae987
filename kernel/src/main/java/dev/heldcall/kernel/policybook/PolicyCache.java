package dev.heldcall.kernel.policybook;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What this node last read of each organization's policy: a hint for whether it is worth asking
 * again, and what to show. Nothing is released on it (the design, rule 6). Safe to use from many
 * threads; forgets the longest unused beyond {@value #MAX_ORGANIZATIONS} organizations.
 */
public final class PolicyCache {

  /** How many organizations are remembered. */
  public static final int MAX_ORGANIZATIONS = 1_000;

  private final Map<String, PolicySnapshot> last = new LinkedHashMap<>(16, 0.75f, true);

  /** The epoch that was last seen, if the organization was read. */
  public OptionalLong knownEpoch(String org) {
    PolicySnapshot snapshot = get(org);
    return snapshot == null ? OptionalLong.empty() : OptionalLong.of(snapshot.epoch());
  }

  /** The last snapshot, if the organization was read. */
  public Optional<PolicySnapshot> last(String org) {
    return Optional.ofNullable(get(org));
  }

  private synchronized @Nullable PolicySnapshot get(String org) {
    return last.get(org);
  }

  synchronized void put(PolicySnapshot snapshot) {
    last.put(snapshot.org(), snapshot);
    if (last.size() > MAX_ORGANIZATIONS) {
      last.remove(last.keySet().iterator().next());
    }
  }
}
