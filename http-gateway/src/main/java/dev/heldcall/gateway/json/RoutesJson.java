package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.api.RouteView;
import java.util.Collection;
import java.util.List;

/** Renders how the asking of witness providers stands. */
final class RoutesJson {

  private RoutesJson() {}

  /** Adds a route an element. */
  static void writeTo(ArrayNode routes, Collection<RouteView> all) {
    for (RouteView each : all) {
      ObjectNode node = routes.addObject();
      node.put("class", each.witnessClass());
      node.put("route", each.provider());
      node.put("state", each.state());
      node.put("reason", each.note());
      node.put("asked_at", Timestamps.textOrNull(each.askedAt()));
      node.put("next_at", Timestamps.textOrNull(each.nextAt()));
      node.put("attempts", each.attempts());
    }
  }

  /** A line for each route that people should know of: how it stands, and why. */
  static List<String> lines(Collection<RouteView> all) {
    return all.stream()
        .filter(each -> !each.state().equals("withdrawn"))
        .map(RoutesJson::line)
        .toList();
  }

  private static String line(RouteView route) {
    StringBuilder line =
        new StringBuilder("asked for ")
            .append(route.witnessClass())
            .append(": ")
            .append(route.provider())
            .append(" is ")
            .append(route.state());
    if (route.note() != null) {
      line.append(" (").append(route.note()).append(')');
    }
    if (route.nextAt() != null && route.state().equals("unavailable")) {
      line.append(", again at ").append(Timestamps.text(route.nextAt()));
    }
    return line.toString();
  }
}
