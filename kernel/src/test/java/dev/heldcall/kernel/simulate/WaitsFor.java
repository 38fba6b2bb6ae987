package dev.heldcall.kernel.simulate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The graph of who waits for whom, made anew from links, and searched the plain way. */
final class WaitsFor {

  private final Map<String, List<String>> dependencies = new LinkedHashMap<>();
  private final Map<String, String> parents = new LinkedHashMap<>();

  /** Takes in a link; answers a cycle, or nothing. */
  List<String> link(String heldId, List<String> dependsOn, @Nullable String parent) {
    dependencies.put(heldId, dependsOn);
    if (parent == null) {
      parents.remove(heldId);
    } else {
      parents.put(heldId, parent);
    }
    return search(heldId, heldId, new ArrayList<>());
  }

  private List<String> search(String start, String at, List<String> path) {
    if (path.size() > 20) {
      return path;
    }
    path.add(at);
    for (String next : of(at)) {
      if (next.equals(start)) {
        return path;
      }
      if (!path.contains(next)) {
        List<String> found = search(start, next, path);
        if (!found.isEmpty()) {
          return found;
        }
      }
    }
    path.removeLast();
    return List.of();
  }

  /** Whom the call waits for. */
  List<String> of(String heldId) {
    List<String> all = new ArrayList<>(dependencies.getOrDefault(heldId, List.of()));
    parents.forEach(
        (child, parent) -> {
          if (parent.equals(heldId)) {
            all.add(child);
          }
        });
    return all;
  }
}
