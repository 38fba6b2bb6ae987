package dev.heldcall.kernel.call;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.plugin.api.PrincipalRef;

/**
 * Names a principal's session unforgeably: sessions are each principal's own, so another
 * principal's {@code s-1} has another key.
 */
public final class SessionKey {

  private SessionKey() {}

  /** The key of a principal's session. */
  public static String of(PrincipalRef principal, String sessionId) {
    ArrayNode parts = JsonNodeFactory.instance.arrayNode();
    parts.add(principal.org()).add(principal.project()).add(principal.id()).add(sessionId);
    return "ss_" + Digests.ofCanonical(parts).value().substring("sha256:".length());
  }

  /** The key of the session that a call belongs to. */
  public static String of(CallSpec spec) {
    return of(spec.proposer().ref(), spec.sessionId());
  }
}
