package dev.heldcall.kernel.policybook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.plugin.api.Digest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a policy book's journal holds. A released event's meaning never changes. */
public sealed interface PolicyBookEvent {

  /** Where a document of the configuration says it came from. */
  String CONFIGURATION = "configuration";

  /** The book's revision once the event happened, from 1. */
  long revision();

  /** When, by the clock of the node that wrote it. */
  Instant at();

  /**
   * The cluster's nodes are to have this floor from now on.
   *
   * @param digest covers the configured floor and the tool registry
   */
  record FloorAdopted(long revision, Digest digest, Instant at) implements PolicyBookEvent {}

  /**
   * The organization's document was replaced whole.
   *
   * @param document in canonical form
   * @param source {@link #CONFIGURATION}, or the held id of the call that changed it
   * @param key what makes a change that is sent again the same change; null from configuration
   * @param configuredDigest the digest of the configured document; null of a governed change
   */
  record DocumentAdopted(
      long revision,
      JsonNode document,
      String source,
      @Nullable String key,
      @Nullable Digest configuredDigest,
      Instant at)
      implements PolicyBookEvent {

    /**
     * @throws IllegalArgumentException if the document has no canonical form
     */
    public DocumentAdopted {
      document = CanonicalJson.canonical(document);
    }
  }
}
