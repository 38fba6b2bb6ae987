package dev.heldcall.kernel.readside;

import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;

import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.SessionKey;
import dev.heldcall.kernel.readside.ReadSideTables.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls of the session {@code s-1} as the read side is told of them. */
final class SeenCalls {

  private static final AtomicInteger CALLS = new AtomicInteger();

  private SeenCalls() {}

  /** A call that waits for a person, and for these calls. */
  static LiveCall waiting(String... dependsOn) {
    return JournalRows.call("c-" + CALLS.incrementAndGet(), HUMAN, dependsOn);
  }

  /** One of another session. */
  static LiveCall waitingIn(String session, String... dependsOn) {
    return JournalRows.callOf(session, "c-" + CALLS.incrementAndGet(), HUMAN, dependsOn);
  }

  /** One whose result waits for its session. */
  static LiveCall concluded() {
    LiveCall call = waiting();
    call.approve(ALICE);
    call.answered("{'id': 'p-1'}");
    return call;
  }

  /** One whose session has its result. */
  static LiveCall acknowledged() {
    LiveCall call = concluded();
    call.acknowledge();
    return call;
  }

  /** The call as it stands. */
  static Seen seen(LiveCall call) {
    return new Seen(call.facts(), call.journal().size(), false);
  }

  /** The call after each of its events. */
  static List<Seen> history(LiveCall call) {
    List<Seen> history = new ArrayList<>();
    HeldCallFacts facts = HeldCallFacts.NONE;
    for (HeldCallEvent event : call.journal()) {
      facts = HeldCallReducer.reduce(facts, event);
      history.add(new Seen(facts, history.size() + 1, false));
    }
    return history;
  }

  static String sessionKey(LiveCall call) {
    return SessionKey.of(call.facts().requireSpec());
  }

  static String deliveryId(LiveCall call) {
    return OutcomeJson.deliveryId(call.facts());
  }
}
