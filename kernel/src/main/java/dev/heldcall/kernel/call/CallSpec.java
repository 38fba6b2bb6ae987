package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Principal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What never changes over a call's life.
 *
 * @param heldId the call's id
 * @param proposer who proposed it, with the capabilities held then
 * @param sessionId the proposer's session
 * @param turnId the turn within it
 * @param callId the call within that
 * @param boundary where the call stands
 * @param continuationRef opaque, returned with the delivery, or null
 * @param dependsOn held ids that must have succeeded first
 * @param parentHeldId the call whose witness this one serves, or null
 * @param rootSession the session whose dependency graph the call is part of
 * @param preferences what the proposer asked for
 * @param proposalDigest what makes a second proposal of the identity the same
 * @param pluginSetDigest the plugin set the call was proposed under
 * @param createdAt when it was proposed
 */
public record CallSpec(
    String heldId,
    Principal proposer,
    String sessionId,
    String turnId,
    String callId,
    Boundary boundary,
    @Nullable String continuationRef,
    List<String> dependsOn,
    @Nullable String parentHeldId,
    String rootSession,
    Preferences preferences,
    Digest proposalDigest,
    Digest pluginSetDigest,
    Instant createdAt) {

  public CallSpec {
    dependsOn = List.copyOf(dependsOn);
  }
}
