package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.HeldCallEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A journal that shares its past with others.
 *
 * @param before what was written before, or null
 * @param write the events of one write
 */
record Journal(@Nullable Journal before, List<HeldCallEvent> write) {

  /** All events, oldest first. */
  static List<HeldCallEvent> events(@Nullable Journal journal) {
    List<List<HeldCallEvent>> writes = new ArrayList<>();
    for (Journal each = journal; each != null; each = each.before()) {
      writes.add(each.write());
    }
    List<HeldCallEvent> events = new ArrayList<>();
    writes.reversed().forEach(events::addAll);
    return events;
  }
}
