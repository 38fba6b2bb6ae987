package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.HeldCallEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A journal that shares its past with others. */
final class Journal {

  private final @Nullable Journal before;
  private final List<HeldCallEvent> write;
  private boolean replayed;

  /**
   * One more write.
   *
   * @param before what was written before, or null
   * @param write its events
   */
  Journal(@Nullable Journal before, List<HeldCallEvent> write) {
    this.before = before;
    this.write = write;
  }

  /** All events, oldest first. */
  List<HeldCallEvent> events() {
    List<List<HeldCallEvent>> writes = new ArrayList<>();
    for (Journal each = this; each != null; each = each.before) {
      writes.add(each.write);
    }
    List<HeldCallEvent> events = new ArrayList<>();
    writes.reversed().forEach(events::addAll);
    return events;
  }

  /** Whether this is the first time that it is asked for: what a replay shows is shown then. */
  boolean firstReplay() {
    boolean first = !replayed;
    replayed = true;
    return first;
  }
}
