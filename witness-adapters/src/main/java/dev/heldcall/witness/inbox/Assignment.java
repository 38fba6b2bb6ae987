package dev.heldcall.witness.inbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whom a request is assigned to. It says who is asked, never who may decide.
 *
 * @param to the group or person that the settings name, or null if they name nobody
 * @param people who is asked, stand-ins in place of those they stand in for
 */
record Assignment(@Nullable String to, List<String> people) {

  private static final int SHOWN = 5;
  private static final int MAX_TEXT = 200;

  /** To nobody in particular. */
  static final Assignment NONE = new Assignment(null, List.of());

  Assignment {
    people = List.copyOf(people);
  }

  /** Such as {@code treasury: alice, bob}; not much more than the first few names. */
  String text() {
    if (to == null) {
      return "nobody in particular";
    }
    if (people.equals(List.of(to))) {
      return to;
    }
    String names = String.join(", ", people.subList(0, Math.min(SHOWN, people.size())));
    String more = people.size() > SHOWN ? " and " + (people.size() - SHOWN) + " more" : "";
    String text = to + ": " + names + more;
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 1) + "…";
  }
}
