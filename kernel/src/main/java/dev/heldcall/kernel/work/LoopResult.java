package dev.heldcall.kernel.work;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import java.util.List;

/**
 * One turn of the loop.
 *
 * @param events to be persisted together
 * @param facts as they are after them
 * @param answer to whoever gave the command
 * @param plan what is enabled then
 * @param wantsFreshPolicy whether more could be decided with a policy read after the command came
 * @param overBound whether the fixed point was not reached: it stops there, and that is a defect
 */
public record LoopResult(
    List<HeldCallEvent> events,
    HeldCallFacts facts,
    Answer answer,
    WorkPlan plan,
    boolean wantsFreshPolicy,
    boolean overBound) {

  public LoopResult {
    events = List.copyOf(events);
  }
}
