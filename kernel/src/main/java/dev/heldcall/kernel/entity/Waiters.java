package dev.heldcall.kernel.entity;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.apache.pekko.actor.typed.ActorRef;

/** Those who wait for the call to change: an answer each, at the latest when their time is over. */
final class Waiters {

  private final List<Waiter> waiting = new ArrayList<>();
  private long lastId;

  private record Waiter(
      long id, Answer answer, Predicate<CallReply> until, ActorRef<CallReply> replyTo) {}

  /** Adds one and returns its id. */
  long add(Answer answer, Predicate<CallReply> until, ActorRef<CallReply> replyTo) {
    lastId++;
    waiting.add(new Waiter(lastId, answer, until, replyTo));
    return lastId;
  }

  /** Answers those whose condition is met. */
  void release(CallReply now) {
    Iterator<Waiter> each = waiting.iterator();
    while (each.hasNext()) {
      Waiter waiter = each.next();
      if (waiter.until().test(now)) {
        each.remove();
        answer(waiter, now);
      }
    }
  }

  /** Answers all of them: whatever would have told them later is gone. */
  void releaseAll(CallReply now) {
    waiting.forEach(waiter -> answer(waiter, now));
    waiting.clear();
  }

  /** Answers one whose time is over. */
  void timeOver(long id, CallReply now) {
    Iterator<Waiter> each = waiting.iterator();
    while (each.hasNext()) {
      Waiter waiter = each.next();
      if (waiter.id() == id) {
        each.remove();
        answer(waiter, now);
      }
    }
  }

  private static void answer(Waiter waiter, CallReply now) {
    waiter.replyTo().tell(new CallReply(now.sequence(), now.facts(), waiter.answer(), now.now()));
  }
}
