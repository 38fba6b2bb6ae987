package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Digest;

/** What came of one dispatch, as the executor classified it (the effect protocol). */
public sealed interface DispatchReport {

  /** Nothing was sent, or the connection was refused before a byte was: proof of no effect. */
  record NoEffect(String proof) implements DispatchReport {}

  /** Something was sent and nobody knows what came of it. */
  record Unknown(String reason) implements DispatchReport {}

  /**
   * The tool answered.
   *
   * @param content what may be admitted; cut if the answer was over its bound
   * @param contentDigest digest of the whole
   * @param contentBytes size of the whole in bytes
   */
  record Answered(
      boolean succeeded,
      JsonNode content,
      Digest contentDigest,
      long contentBytes,
      boolean truncated,
      String detail)
      implements DispatchReport {}
}
