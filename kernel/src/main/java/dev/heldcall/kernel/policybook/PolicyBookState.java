package dev.heldcall.kernel.policybook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.policybook.PolicyBookEvent.DocumentAdopted;
import dev.heldcall.kernel.policybook.PolicyBookEvent.FloorAdopted;
import dev.heldcall.plugin.api.Digest;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A policy book as its events leave it. Immutable; the same events give the same state, and an
 * event whose revision is not above the state's changes nothing.
 *
 * @param revision grows by one with every adoption; 0 while the book is empty
 * @param floor the adopted floor's digest, in the floor's book
 * @param document the organization's document, in an organization's book
 * @param configured the digest of the document that configuration had last
 * @param changes the last governed changes, oldest first: key to the revision it made; at most
 *     {@value #MAX_CHANGES}
 */
public record PolicyBookState(
    long revision,
    @Nullable Digest floor,
    @Nullable JsonNode document,
    @Nullable Digest configured,
    Map<String, Long> changes) {

  /**
   * How many changes are known again by their key. An older one that is sent again is refused
   * nevertheless: its base is no longer current.
   */
  public static final int MAX_CHANGES = 1_000;

  /** A book without an event. */
  public static final PolicyBookState EMPTY = new PolicyBookState(0, null, null, null, Map.of());

  public PolicyBookState {
    changes = Collections.unmodifiableMap(new LinkedHashMap<>(changes));
  }

  /** The state after one more event. */
  public PolicyBookState apply(PolicyBookEvent event) {
    if (event.revision() <= revision) {
      return this;
    }
    return switch (event) {
      case FloorAdopted adopted ->
          new PolicyBookState(adopted.revision(), adopted.digest(), document, configured, changes);
      case DocumentAdopted adopted ->
          new PolicyBookState(
              adopted.revision(),
              floor,
              adopted.document(),
              adopted.configuredDigest() == null ? configured : adopted.configuredDigest(),
              with(adopted.key(), adopted.revision()));
    };
  }

  /** The revision that the change of this key made, if it is among the last ones. */
  public OptionalLong changedBy(String key) {
    Long made = changes.get(key);
    return made == null ? OptionalLong.empty() : OptionalLong.of(made);
  }

  private Map<String, Long> with(@Nullable String key, long made) {
    if (key == null) {
      return changes;
    }
    Map<String, Long> more = new LinkedHashMap<>(changes);
    more.putIfAbsent(key, made);
    if (more.size() > MAX_CHANGES) {
      more.remove(more.keySet().iterator().next());
    }
    return more;
  }
}
