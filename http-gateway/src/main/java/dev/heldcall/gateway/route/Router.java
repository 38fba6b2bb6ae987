package dev.heldcall.gateway.route;

import dev.heldcall.gateway.route.Endpoint.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Finds the endpoint of a request. Paths match to the letter: no trailing slash, no case fold. */
public final class Router {

  /** What a method and a path lead to. */
  public sealed interface Match {

    /** An endpoint, and the variables of its path. */
    record Found(Endpoint endpoint, Map<String, String> variables) implements Match {}

    /** The path has other methods only. */
    record OtherMethods(SortedSet<String> allowed) implements Match {}

    /** There is no such path. */
    record NoPath() implements Match {}
  }

  private record Template(List<String> segments, Endpoint endpoint) {}

  private final List<Template> templates = new ArrayList<>();

  /** Routes to the endpoints of these resources. */
  public Router(List<Resource> resources) {
    for (Resource resource : resources) {
      for (Endpoint endpoint : resource.endpoints()) {
        templates.add(new Template(List.of(endpoint.path().substring(1).split("/", -1)), endpoint));
      }
    }
  }

  /** Every endpoint there is. */
  public List<Endpoint> endpoints() {
    return templates.stream().map(Template::endpoint).toList();
  }

  /**
   * Finds the endpoint.
   *
   * @param segments the path's segments, decoded
   */
  public Match find(String method, List<String> segments) {
    SortedSet<String> methods = new TreeSet<>();
    for (Template template : templates) {
      Map<String, String> variables = match(template.segments, segments);
      if (variables != null) {
        if (template.endpoint.method().equals(method)) {
          return new Match.Found(template.endpoint, variables);
        }
        methods.add(template.endpoint.method());
      }
    }
    if (methods.isEmpty()) {
      return new Match.NoPath();
    }
    if (methods.contains("GET")) {
      methods.add("HEAD");
    }
    methods.add("OPTIONS");
    return new Match.OtherMethods(Collections.unmodifiableSortedSet(methods));
  }

  private static @Nullable Map<String, String> match(List<String> template, List<String> path) {
    if (template.size() != path.size()) {
      return null;
    }
    Map<String, String> variables = new LinkedHashMap<>();
    for (int i = 0; i < template.size(); i++) {
      String expected = template.get(i);
      String found = path.get(i);
      if (expected.startsWith("{")) {
        if (found.isEmpty()) {
          return null;
        }
        variables.put(expected.substring(1, expected.length() - 1), found);
      } else if (!expected.equals(found)) {
        return null;
      }
    }
    return variables;
  }
}
