package dev.heldcall.gateway.error;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.plugin.api.IncomingReply;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One refusal as RFC 9457 shows it.
 *
 * @param type the kind
 * @param detail one sentence about this occurrence; never a stack trace
 * @param heldId the call it is about, or null
 * @param errors places within the body, possibly none
 * @param extras members of this kind beside the standard ones
 */
public record ProblemDetails(
    ProblemType type,
    String detail,
    @Nullable String heldId,
    List<Rejection.FieldError> errors,
    ObjectNode extras) {

  /** How many places are listed at most. */
  public static final int MAX_ERRORS = 20;

  public ProblemDetails {
    errors = List.copyOf(errors);
    extras = extras.deepCopy();
  }

  /** A refusal without places. */
  public static ProblemDetails of(ProblemType type, String detail) {
    return new ProblemDetails(type, detail, null, List.of(), JsonNodeFactory.instance.objectNode());
  }

  /** A refusal with places. */
  public static ProblemDetails of(
      ProblemType type, String detail, List<Rejection.FieldError> errors) {
    return new ProblemDetails(type, detail, null, errors, JsonNodeFactory.instance.objectNode());
  }

  /** The kernel's refusal of something about the call, or about none. */
  public static ProblemDetails of(Rejection rejection, @Nullable String heldId) {
    ObjectNode extras = JsonNodeFactory.instance.objectNode();
    if (rejection.execution() != null) {
      extras.put("execution", rejection.execution().wireName());
    }
    return new ProblemDetails(
        ProblemType.of(rejection.problem()),
        rejection.detail(),
        heldId,
        rejection.errors(),
        extras);
  }

  /** A witness provider's refusal of a message. */
  public static ProblemDetails of(IncomingReply.Refusal refusal) {
    return new ProblemDetails(
        ProblemType.of(refusal.kind()), refusal.detail(), null, List.of(), refusal.members());
  }

  /** The same with one more member. */
  public ProblemDetails with(String name, @Nullable String value) {
    ObjectNode more = extras.deepCopy();
    more.put(name, value);
    return new ProblemDetails(type, detail, heldId, errors, more);
  }

  /** The document; members of {@link #extras()} never replace the standard ones. */
  public ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.setAll(extras);
    node.put("type", type.uri());
    node.put("title", type.title());
    node.put("status", type.status());
    node.put("detail", detail);
    if (heldId != null) {
      node.put("held_id", heldId);
    }
    if (!errors.isEmpty()) {
      ArrayNode places = node.putArray("errors");
      errors.stream()
          .limit(MAX_ERRORS)
          .forEach(e -> places.addObject().put("pointer", e.pointer()).put("message", e.message()));
      if (errors.size() > MAX_ERRORS) {
        node.put("errors_left_out", errors.size() - MAX_ERRORS);
      }
    }
    return node;
  }
}
