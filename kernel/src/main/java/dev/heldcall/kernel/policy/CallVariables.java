package dev.heldcall.kernel.policy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.NullValue;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call as the variables of a condition. */
final class CallVariables {

  private CallVariables() {}

  static Map<String, Object> of(CallUnderPolicy call) {
    return Map.of(
        "tool",
        call.tool(),
        "args",
        value(call.args()),
        "principal",
        principal(call.principal()),
        "session",
        Map.of("id", call.sessionId()),
        "call",
        Map.of(
            "held_id",
            call.heldId(),
            "generation",
            (long) call.generation(),
            "boundary",
            call.boundary().wireName(),
            "turn_id",
            call.turnId(),
            "call_id",
            call.callId()));
  }

  private static Map<String, Object> principal(Principal principal) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("id", principal.id());
    map.put("org", principal.org());
    map.put("project", principal.project());
    map.put("roles", principal.roles().stream().map(Role::wireName).sorted().toList());
    map.put("capabilities", List.copyOf(principal.capabilities()));
    map.put("on_behalf_of", orNull(principal.onBehalfOf()));
    map.put("model_family", orNull(principal.modelFamily()));
    return map;
  }

  private static Object orNull(@Nullable String text) {
    return text == null ? NullValue.NULL_VALUE : text;
  }

  private static Object value(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> {
        Map<String, Object> map = new LinkedHashMap<>();
        node.properties().forEach(entry -> map.put(entry.getKey(), value(entry.getValue())));
        yield map;
      }
      case ARRAY -> {
        List<Object> list = new ArrayList<>(node.size());
        node.forEach(item -> list.add(value(item)));
        yield list;
      }
      case STRING -> node.textValue();
      case BOOLEAN -> node.booleanValue();
      case NUMBER ->
          node.isIntegralNumber() && node.canConvertToLong()
              ? (Object) node.longValue()
              : (Object) node.doubleValue();
      case NULL, MISSING -> NullValue.NULL_VALUE;
      case BINARY, POJO -> throw new IllegalArgumentException("not JSON: " + node.getNodeType());
    };
  }
}
