package dev.heldcall.kernel.call;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A decision in the making: events so far and the facts they lead to. */
final class Draft {

  private final CallContext context;
  private final Instant now;
  private final String actor;
  private final List<HeldCallEvent> events = new ArrayList<>();
  private HeldCallFacts facts;

  Draft(HeldCallFacts facts, CallContext context, String actor) {
    this.facts = facts;
    this.context = context;
    this.now = facts.now(context.now());
    this.actor = actor;
  }

  HeldCallFacts facts() {
    return facts;
  }

  CallContext context() {
    return context;
  }

  /** The policy that a lease or a ruling may rest on, or null if none was read for this command. */
  @Nullable PolicyInForce freshPolicy() {
    return context.freshPolicy(facts);
  }

  Instant now() {
    return now;
  }

  /** Adds an event by whoever gave the command. */
  void add(Function<EventMeta, HeldCallEvent> event) {
    addAs(actor, event);
  }

  /** Adds an event by the kernel itself. */
  void addByKernel(Function<EventMeta, HeldCallEvent> event) {
    addAs(EventMeta.KERNEL, event);
  }

  private void addAs(String by, Function<EventMeta, HeldCallEvent> make) {
    HeldCallEvent event = make.apply(new EventMeta(EventIds.of(facts.events() + 1), now, by));
    events.add(event);
    facts = HeldCallReducer.reduce(facts, event);
  }

  Decision answer(Answer answer) {
    return new Decision(events, facts, answer);
  }

  Decision stands() {
    return answer(new Answer.Stands());
  }

  Decision refuse(Problem problem, String detail) {
    return answer(new Answer.Refused(Rejection.of(problem, detail)));
  }

  Decision refuse(Rejection rejection) {
    return answer(new Answer.Refused(rejection));
  }
}
