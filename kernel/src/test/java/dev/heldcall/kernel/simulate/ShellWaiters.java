package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.kernel.simulate.CallMessage.Execute;
import dev.heldcall.kernel.simulate.CallMessage.ReplyTo;
import dev.heldcall.plugin.api.ExecutorKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Proposers and editors whose answer waits for the conclusion, as the entity lets them. */
final class ShellWaiters {

  private static final long LONGEST_MILLIS = 60_000;

  private final Node node;
  private final CallShell shell;
  private final List<Waiter> waiting = new ArrayList<>();
  private long lastId;

  private record Waiter(long id, HeldCallCommand command, Answer answer, ReplyTo replyTo) {}

  ShellWaiters(Simulation world, Node node, CallShell shell) {
    this.node = node;
    this.shell = shell;
  }

  /** How long the answer waits for the conclusion, 0 for not at all. */
  long millisToWait(HeldCallFacts facts, boolean offered, Execute message, Answer answer) {
    boolean conclusive =
        message.command() instanceof HeldCallCommand.ProposeCall
            || message.command() instanceof HeldCallCommand.EditCall;
    if (!conclusive || !(answer instanceof Answer.Stands) || conclusionOffered(facts, offered)) {
      return 0;
    }
    long asked = message.waitMillis();
    LeaseRecord last = facts.lastLease();
    if (facts.concluded()) {
      asked = Math.max(asked, 5_000);
    } else if (facts.execution() == Execution.LEASED
        && last != null
        && last.lease().executor() != ExecutorKind.CLIENT) {
      Duration left = Duration.between(node.clock(), last.lease().deadline());
      asked = Math.max(asked, left.toMillis() + 2_000);
    }
    return Math.min(asked, LONGEST_MILLIS);
  }

  private static boolean conclusionOffered(HeldCallFacts facts, boolean offered) {
    return (facts.concluded() && (offered || facts.delivery() == Delivery.ACKNOWLEDGED))
        || facts.execution() == Execution.OUTCOME_UNKNOWN;
  }

  long add(HeldCallCommand command, Answer answer, ReplyTo replyTo) {
    lastId++;
    waiting.add(new Waiter(lastId, command, answer, replyTo));
    return lastId;
  }

  /** Answers all if the conclusion is there. */
  void release(CallReply now) {
    if (!waiting.isEmpty() && conclusionOffered(now.facts(), shell.offered())) {
      releaseAll(now);
    }
  }

  void releaseAll(CallReply now) {
    List<Waiter> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(each -> answer(each, now));
  }

  void timeOver(long id, CallReply now) {
    for (Waiter each : List.copyOf(waiting)) {
      if (each.id() == id) {
        waiting.remove(each);
        answer(each, now);
      }
    }
  }

  private void answer(Waiter waiter, CallReply now) {
    shell.say(
        waiter.command(),
        waiter.replyTo(),
        new CallReply(now.sequence(), now.facts(), waiter.answer(), now.now()));
  }
}
