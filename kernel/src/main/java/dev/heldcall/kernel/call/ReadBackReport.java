package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Digest;

/** What a read-back saw of an effect. */
public sealed interface ReadBackReport {

  /** The effect is there; its representation is the content. */
  record Effect(JsonNode content, Digest contentDigest, long contentBytes, boolean truncated)
      implements ReadBackReport {}

  /** The effect is not there. It counts only after the deadline and settle time (rule 2). */
  record NoEffect() implements ReadBackReport {}

  /** The read-back cannot tell. */
  record CannotTell(String reason) implements ReadBackReport {}
}
