package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.session.SessionEvent;
import dev.heldcall.kernel.session.SessionGraph;
import dev.heldcall.kernel.session.SessionGraphs;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One incarnation of a session's graph on one node, as {@code SessionEntity} is. */
final class SessionShell {

  private static final int BACKOFF_MILLIS = 300;

  private final Simulation world;
  private final Node node;
  private final String id;
  private final Deque<Link> kept = new ArrayDeque<>();
  private SessionGraph graph = SessionGraph.EMPTY;
  private long sequence;
  private boolean busy = true;

  /** Who is told what became of a link; null is yes. */
  interface LinkedTo {
    void tell(Node from, @Nullable Problem refused);
  }

  record Link(String heldId, List<String> dependsOn, @Nullable String parent, LinkedTo replyTo) {}

  SessionShell(Simulation world, Node node, String root) {
    this.world = world;
    this.node = node;
    this.id = id(root);
    recover();
  }

  static String id(String root) {
    return "session|" + root;
  }

  void receive(Link link) {
    if (busy) {
      kept.add(link);
    } else {
      handle(link);
    }
  }

  private void recover() {
    busy = true;
    world
        .journal()
        .read(
            node,
            id,
            events -> {
              if (events == null) {
                world.timeline().after(BACKOFF_MILLIS, node, this::recover);
                return;
              }
              graph = SessionGraph.EMPTY;
              for (Object event : events) {
                SessionEvent.CallLinked it = (SessionEvent.CallLinked) event;
                graph = SessionGraphs.with(graph, it.heldId(), it.dependsOn(), it.parent());
              }
              sequence = events.size();
              free();
            });
  }

  private void free() {
    busy = false;
    while (!busy && !kept.isEmpty()) {
      handle(kept.poll());
    }
  }

  private void handle(Link link) {
    if (SessionGraphs.holds(graph, link.heldId(), link.dependsOn(), link.parent())) {
      link.replyTo().tell(node, null);
      return;
    }
    SessionGraph.Linking linking =
        world.planted(Plant.NO_GRAPH)
            ? new SessionGraph.Accepted(
                SessionGraphs.with(graph, link.heldId(), link.dependsOn(), link.parent()))
            : graph.link(link.heldId(), link.dependsOn(), link.parent());
    switch (linking) {
      case SessionGraph.Accepted accepted -> persist(link, accepted.graph());
      case SessionGraph.Cycle cycle -> link.replyTo().tell(node, Problem.DEPENDENCY_CYCLE);
      case SessionGraph.TooDeep deep -> link.replyTo().tell(node, Problem.DEPENDENCY_DEPTH);
      case SessionGraph.Full full -> link.replyTo().tell(node, Problem.TOO_MANY_CALLS);
    }
  }

  private void persist(Link link, SessionGraph next) {
    busy = true;
    SessionEvent event =
        new SessionEvent.CallLinked(
            link.heldId(),
            link.dependsOn(),
            link.parent(),
            CoreFixtures.START.plusMillis(world.timeline().now()));
    world
        .journal()
        .append(
            node,
            id,
            sequence + 1,
            List.of(event),
            made -> {
              if (made) {
                sequence++;
                graph = next;
                link.replyTo().tell(node, null);
                free();
              } else {
                world.timeline().after(BACKOFF_MILLIS, node, this::recover);
              }
            });
  }
}
