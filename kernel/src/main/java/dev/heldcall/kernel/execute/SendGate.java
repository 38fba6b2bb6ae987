package dev.heldcall.kernel.execute;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Every byte of a request passes here on its way to the socket, so that "nothing was sent" is a
 * proof and not a guess: either the first byte passed, or the gate was closed before and none ever
 * will.
 */
final class SendGate {

  private enum State {
    WAITING,
    SENT,
    CLOSED
  }

  /** The request was not sent and never will be. */
  static final class NotSentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotSentException(String reason) {
      super(reason);
    }
  }

  private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
  private final Supplier<@Nullable String> objection;

  /**
   * A gate that nothing passed.
   *
   * @param objection asked once, right before the first byte passes: why it must not, or null
   */
  SendGate(Supplier<@Nullable String> objection) {
    this.objection = objection;
  }

  /**
   * Lets bytes pass.
   *
   * @throws NotSentException if none may
   */
  ByteString pass(ByteString bytes) {
    if (state.get() == State.SENT) {
      return bytes;
    }
    String reason = objection.get();
    if (reason != null) {
      throw new NotSentException(reason);
    }
    if (!state.compareAndSet(State.WAITING, State.SENT)) {
      throw new NotSentException("given up before anything was sent");
    }
    return bytes;
  }

  /**
   * Closes the gate if nothing passed yet.
   *
   * @return whether nothing was sent, and nothing ever will be
   */
  boolean close() {
    return state.compareAndSet(State.WAITING, State.CLOSED) || state.get() == State.CLOSED;
  }
}
