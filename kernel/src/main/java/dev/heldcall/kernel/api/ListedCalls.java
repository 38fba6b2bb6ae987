package dev.heldcall.kernel.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.Presentation;
import dev.heldcall.kernel.readside.CallRow;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * Rows of the index as a viewer may see them. A row is as its call was when that last changed, and
 * policy may have become stricter since: what a waiting call that was judged under an older policy
 * shows of its arguments is left out, and the call is woken, which judges it again and makes its
 * row anew.
 */
final class ListedCalls {

  /** Calls that one page wakes. */
  private static final int MAX_WOKEN = 50;

  private final JsonMapper mapper = JsonMapper.builder().build();
  private final ToLongFunction<String> epochOf;
  private final Consumer<String> wake;

  /**
   * Lists what the index has.
   *
   * @param epochOf the newest policy epoch that this node knows of, by organization
   * @param wake has a call look at its policy
   */
  ListedCalls(ToLongFunction<String> epochOf, Consumer<String> wake) {
    this.epochOf = epochOf;
    this.wake = wake;
  }

  /** The rows for this viewer. */
  List<JsonNode> of(List<CallRow> rows, Principal viewer) {
    long epoch = epochOf.applyAsLong(viewer.org());
    List<JsonNode> items = new ArrayList<>();
    int woken = 0;
    for (CallRow row : rows) {
      JsonNode item = tree(row.summary());
      if (!viewer.has(Role.OPERATOR)
          && !row.proposer().equals(viewer.ref())
          && isBehind(item, epoch)
          && item.get("presentation") instanceof ObjectNode presentation) {
        Presentation.withhold(presentation);
        if (woken++ < MAX_WOKEN) {
          wake.accept(row.heldId());
        }
      }
      items.add(item);
    }
    return items;
  }

  private static boolean isBehind(JsonNode item, long epoch) {
    return !item.path("concluded").asBoolean()
        && item.path("execution").asText().equals(Execution.NONE.wireName())
        && item.path("policy_epoch").asLong(-1) < epoch;
  }

  /** A row's own JSON. */
  JsonNode tree(String json) {
    try {
      return mapper.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a row of the read side is no JSON", e);
    }
  }
}
