package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the list.
 *
 * @param items ready to show
 * @param nextCursor where to go on, or null at the end
 */
public record InboxPage(List<JsonNode> items, @Nullable String nextCursor) {

  public InboxPage {
    items = List.copyOf(items);
  }
}
