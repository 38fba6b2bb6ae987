package dev.heldcall.kernel.entity;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Upstream;
import dev.heldcall.kernel.codec.KernelMessage;
import java.time.Instant;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** What other actors may say to a held call. What it says to itself is private to it. */
public final class HeldCallProtocol {

  private HeldCallProtocol() {}

  /** Anything that a held call takes. */
  public interface Message {}

  /**
   * Do something, and answer.
   *
   * @param waitMillis how long the answer may wait for the call's conclusion, 0 for not at all
   */
  public record Execute(HeldCallCommand command, long waitMillis, ActorRef<CallReply> replyTo)
      implements Message, KernelMessage {}

  /**
   * Say how the call stands.
   *
   * @param since wait until the sequence number is over this, -1 for not waiting
   * @param waitMillis how long to wait
   */
  public record Read(long since, long waitMillis, ActorRef<CallReply> replyTo)
      implements Message, KernelMessage {}

  /** Time may have enabled something: look. */
  public record Wake() implements Message, KernelMessage {}

  /**
   * Tell another call how this one stands, now and when it settles.
   *
   * @param watcher the call that waits
   * @param child whether this one is nested in it, rather than something it depends on
   */
  public record Watch(String watcher, boolean child) implements Message, KernelMessage {}

  /**
   * The call that this one serves has ended: end too, if nothing was dispatched, and say so.
   *
   * @param parent the call that has ended
   * @param how how it ended
   */
  public record ParentEnded(String parent, String how) implements Message, KernelMessage {}

  /**
   * How a call stands that this one waits for.
   *
   * @param upstream what it is, or null for a call that was never proposed
   * @param heldId the call that was watched
   * @param child whether it is nested in this one
   * @param absent whether it was never proposed
   */
  public record Watched(
      String heldId,
      boolean child,
      boolean absent,
      DependencyState state,
      String detail,
      @Nullable Upstream upstream)
      implements Message, KernelMessage {}

  /**
   * The answer to {@link Execute} and {@link Read}.
   *
   * @param sequence the journal sequence number of the facts
   * @param facts all that is known
   * @param answer what came of the command
   * @param now the call's time
   */
  public record CallReply(long sequence, HeldCallFacts facts, Answer answer, Instant now)
      implements KernelMessage {}
}
