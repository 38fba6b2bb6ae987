package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A session's calls with what each waits for.
 *
 * @param sessionId the session
 * @param calls ready to show: held_id, turn_id, call_id, tool, phase, runnable, blocked_on
 * @param agentPaused whether the agent waits: a turn has calls that are not concluded
 */
public record SessionView(String sessionId, List<JsonNode> calls, boolean agentPaused) {

  public SessionView {
    calls = List.copyOf(calls);
  }
}
