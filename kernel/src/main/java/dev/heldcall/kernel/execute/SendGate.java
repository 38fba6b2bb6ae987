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

  private sealed interface State {}

  private enum Passable implements State {
    WAITING,
    SENT
  }

  private record Closed(String reason) implements State {}

  /** The request was not sent and never will be. */
  static final class NotSentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotSentException(String reason) {
      super(reason);
    }
  }

  private final AtomicReference<State> state = new AtomicReference<>(Passable.WAITING);
  private final Supplier<@Nullable String> objection;

  /**
   * A gate that nothing passed.
   *
   * @param objection asked right before the first byte passes: why it must not, or null
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
    if (state.get() == Passable.SENT) {
      return bytes;
    }
    String reason = objection.get();
    if (reason != null) {
      close(reason);
      throw new NotSentException(reason);
    }
    if (!state.compareAndSet(Passable.WAITING, Passable.SENT)) {
      throw new NotSentException("the gate was closed before anything was sent");
    }
    return bytes;
  }

  /**
   * Closes the gate if nothing passed yet.
   *
   * @return why nothing was sent and nothing ever will be, the reason of the first to close it; or
   *     null if something was sent
   */
  @Nullable String close(String reason) {
    state.compareAndSet(Passable.WAITING, new Closed(reason));
    return state.get() instanceof Closed closed ? closed.reason() : null;
  }
}
