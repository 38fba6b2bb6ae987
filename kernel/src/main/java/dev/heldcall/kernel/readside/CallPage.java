package dev.heldcall.kernel.readside;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list.
 *
 * @param rows the calls, oldest deadline first, then by id
 * @param nextCursor where the next page begins, or null if there is none
 */
public record CallPage(List<CallRow> rows, @Nullable String nextCursor) {
  public CallPage {
    rows = List.copyOf(rows);
  }
}
