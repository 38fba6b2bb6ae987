package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.digest.CallIdentity;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tool call as an agent proposes it (API.md, section 1).
 *
 * @param sessionId the proposer's session
 * @param turnId the turn within it
 * @param callId the call within that
 * @param boundary where the call stands
 * @param tool the tool, or the gate's name for other boundaries
 * @param args the arguments, canonical
 * @param continuationRef opaque, returned with the delivery, or null
 * @param dependsOn held ids that must have succeeded first
 * @param parentHeldId the call whose witness this call serves, or null
 * @param preferences what the proposer asks for
 */
public record Proposal(
    String sessionId,
    String turnId,
    String callId,
    Boundary boundary,
    String tool,
    JsonNode args,
    @Nullable String continuationRef,
    List<String> dependsOn,
    @Nullable String parentHeldId,
    Preferences preferences) {

  public Proposal {
    args = CanonicalJson.canonical(args);
    dependsOn = List.copyOf(dependsOn);
  }

  /** The identity that {@code held_id} is derived from. */
  public CallIdentity identity(Principal proposer) {
    return new CallIdentity(
        proposer.org(), proposer.project(), proposer.id(), sessionId, turnId, callId);
  }

  /**
   * What makes two proposals of one identity the same: everything but how long the request waits
   * and what a dropped connection does.
   */
  public Digest contentDigest() {
    ObjectNode content = JsonNodeFactory.instance.objectNode();
    content.put("boundary", boundary.wireName());
    content.put("tool", tool);
    content.set("args", args);
    content.put("continuation_ref", continuationRef);
    ArrayNode dependencies = content.putArray("depends_on");
    dependsOn.stream().sorted().forEach(dependencies::add);
    content.put("parent_held_id", parentHeldId);
    ObjectNode asked = content.putObject("preferences");
    asked.put("timeout_s", preferences.timeoutSeconds());
    asked.put("require", preferences.require());
    preferences.route().forEach(asked.putArray("route")::add);
    asked.put("transform", preferences.transform().wireName());
    asked.put("disclosure", preferences.disclosure().wireName());
    asked.put("resume", preferences.resume().wireName());
    return Digests.ofCanonical(content);
  }
}
