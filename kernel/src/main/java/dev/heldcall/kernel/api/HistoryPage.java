package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * A part of a call's journal, oldest first.
 *
 * @param items one object an event: seq, event_id, type, at, actor, data; no quarantined content
 * @param leftOut how many later events the page does not show
 */
public record HistoryPage(List<ObjectNode> items, long leftOut) {

  public HistoryPage {
    items = List.copyOf(items);
  }
}
