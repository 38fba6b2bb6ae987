package dev.heldcall.kernel.session;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a session entity does with its graph, for those who simulate one. */
public final class SessionGraphs {

  private SessionGraphs() {}

  /** Whether the call has exactly these edges already. */
  public static boolean holds(
      SessionGraph graph, String heldId, List<String> dependsOn, @Nullable String parent) {
    return graph.holds(heldId, dependsOn, parent);
  }

  /** The graph with a link that is in the journal. */
  public static SessionGraph with(
      SessionGraph graph, String heldId, List<String> dependsOn, @Nullable String parent) {
    return graph.with(heldId, dependsOn, parent);
  }
}
