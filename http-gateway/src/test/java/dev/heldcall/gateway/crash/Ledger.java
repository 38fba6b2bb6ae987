package dev.heldcall.gateway.crash;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** All that a story's clients were told, over every incarnation of the node. */
final class Ledger {

  /**
   * A call of the story.
   *
   * @param strand the part of the story that it belongs to
   * @param token who proposed it
   * @param sessionId its session
   * @param heldId its id
   * @param approvals how many people must have approved before it runs; −1 for a call that must
   *     never run
   */
  record Call(String strand, String token, String sessionId, String heldId, int approvals) {}

  /**
   * Something that was acknowledged.
   *
   * @param what the word for it
   * @param value what of it must be found again
   */
  record Said(Call call, What what, JsonNode value) {}

  /** What a client can be told that must never be forgotten. */
  enum What {
    PROPOSED,
    ATTESTED,
    REFUSED,
    REVOKED,
    EDITED,
    CANCELLED,
    LEASED,
    REPORTED,
    RESOLVED,
    EPOCH,
    DELIVERED,
    ACKNOWLEDGED,
    HISTORY
  }

  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final List<Said> said = new CopyOnWriteArrayList<>();

  void call(Call call) {
    if (!calls.contains(call)) {
      calls.add(call);
    }
  }

  void said(Call call, What what, JsonNode value) {
    said.add(new Said(call, what, value));
  }

  List<Call> calls() {
    return calls;
  }

  List<Said> said() {
    return said;
  }
}
