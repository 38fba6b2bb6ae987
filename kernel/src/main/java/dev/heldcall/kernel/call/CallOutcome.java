package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Digest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of the effect.
 *
 * @param leaseId the lease it came under
 * @param succeeded whether the tool did what was asked; a tool's error is a result too
 * @param content the content, only once admitted
 * @param contentDigest digest of the whole content
 * @param truncated whether the content was cut
 * @param source how the outcome is known
 * @param at when it was recorded
 * @param reasons why it is quarantined, else empty
 */
public record CallOutcome(
    String leaseId,
    boolean succeeded,
    @Nullable JsonNode content,
    Digest contentDigest,
    boolean truncated,
    OutcomeSource source,
    Instant at,
    List<String> reasons) {

  public CallOutcome {
    reasons = List.copyOf(reasons);
  }
}
