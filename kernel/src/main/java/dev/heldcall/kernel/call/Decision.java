package dev.heldcall.kernel.call;

import java.util.List;

/**
 * What a command leads to. All its events are persisted together, before the answer is given; a
 * refusal may have events too: it is on record.
 *
 * @param events in order, possibly none
 * @param facts as they are after the events
 * @param answer what is said then
 */
public record Decision(List<HeldCallEvent> events, HeldCallFacts facts, Answer answer) {

  public Decision {
    events = List.copyOf(events);
  }
}
