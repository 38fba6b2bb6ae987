package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.plugin.api.Digest;
import java.nio.charset.StandardCharsets;

/**
 * A result's content.
 *
 * @param tree what may be admitted
 * @param digest of the whole
 * @param bytes size of the whole
 * @param truncated whether the tree is not the whole
 */
record Content(JsonNode tree, Digest digest, long bytes, boolean truncated) {
  static Content of(JsonNode tree) {
    byte[] whole = CanonicalJson.text(tree).getBytes(StandardCharsets.UTF_8);
    return new Content(tree, Digests.sha256(whole), whole.length, false);
  }
}
