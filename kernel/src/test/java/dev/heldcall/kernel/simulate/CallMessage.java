package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.call.Upstream;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a simulated call is told; the names are the entity's. */
sealed interface CallMessage {

  /** Where an answer goes. */
  interface ReplyTo {
    /** Nobody waits for it. */
    ReplyTo NOBODY = (from, reply) -> {};

    void tell(Node from, CallReply reply);
  }

  record Execute(HeldCallCommand command, long waitMillis, ReplyTo replyTo)
      implements CallMessage {}

  record Read(ReplyTo replyTo) implements CallMessage {}

  record Wake() implements CallMessage {}

  record Watch(String watcher, boolean child) implements CallMessage {}

  record Watched(
      String heldId,
      boolean child,
      boolean absent,
      DependencyState state,
      String detail,
      @Nullable Upstream upstream)
      implements CallMessage {}

  record ParentEnded(String parent, String how) implements CallMessage {}

  record PolicyCame(Execute held, @Nullable PolicyInForce policy, long askedOn)
      implements CallMessage {}

  record Dispatched(String leaseId, DispatchReport report) implements CallMessage {}

  record ReadBackCame(String leaseId, Instant askedAt, ReadBackReport report)
      implements CallMessage {}

  record Offered() implements CallMessage {}

  record AckMarked(HeldCallCommand command, Answer answer, ReplyTo replyTo)
      implements CallMessage {}

  record Tick() implements CallMessage {}

  record WaitOver(long waiter) implements CallMessage {}

  record Idle() implements CallMessage {}

  record Leave() implements CallMessage {}
}
