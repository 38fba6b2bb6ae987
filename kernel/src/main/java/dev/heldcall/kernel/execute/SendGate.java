package dev.heldcall.kernel.execute;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request passes here right before its first byte is handed to the socket, so that "nothing was
 * sent" is a proof and not a guess: either it passed, or the gate was closed before and no byte of
 * it ever will leave. Any thread may close it.
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
   * @param objection asked once, right before the request passes: why it must not, or null
   */
  SendGate(Supplier<@Nullable String> objection) {
    this.objection = objection;
  }

  /**
   * Lets the request pass, once.
   *
   * @throws NotSentException if it may not, or did before
   */
  void pass() {
    String reason = objection.get();
    if (reason != null) {
      close(reason);
      throw new NotSentException(reason);
    }
    if (!state.compareAndSet(Passable.WAITING, Passable.SENT)) {
      throw new NotSentException("the gate was closed before anything was sent");
    }
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
