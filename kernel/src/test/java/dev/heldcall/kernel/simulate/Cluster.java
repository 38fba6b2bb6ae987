package dev.heldcall.kernel.simulate;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Which node runs which call, as each node sees it. While the nodes are parted, the side that does
 * not see a call's owner starts it a second time; a paused node that was given up goes on with what
 * it has when it wakes, until it learns better.
 */
final class Cluster {

  /** How long others miss a node until its calls come up elsewhere. */
  private static final long GIVE_UP_MILLIS = 3_000;

  private final Simulation world;
  private final SplittableRandom random;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<String, Node> owners = new LinkedHashMap<>();
  private final Map<String, Node> otherOwners = new LinkedHashMap<>();
  private int[] sides;
  private long partings;

  Cluster(Simulation world, int size) {
    this.world = world;
    this.random = world.random();
    for (int i = 0; i < size; i++) {
      nodes.add(new Node(i, world.timeline()));
    }
    sides = new int[size];
  }

  List<Node> nodes() {
    return nodes;
  }

  /** A node that a client can reach; it may be paused. */
  @Nullable Node any() {
    int begin = random.nextInt(nodes.size());
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get((begin + i) % nodes.size());
      if (node.alive()) {
        return node;
      }
    }
    return null;
  }

  boolean parted(Node a, Node b) {
    return sides[a.id()] != sides[b.id()];
  }

  /** Parts the nodes into two sides for the time. */
  void part(long millis) {
    int alone = random.nextInt(nodes.size());
    sides = new int[nodes.size()];
    sides[alone] = 1;
    long parting = ++partings;
    world.faults().count(Fault.PARTITION);
    world.trace().note(nodes.get(alone).name(), "is parted from the others");
    world
        .timeline()
        .after(
            millis,
            () -> {
              if (parting == partings) {
                heal();
              }
            });
  }

  /** Joins the sides. Who runs what should not learns it a little later. */
  void heal() {
    sides = new int[nodes.size()];
    otherOwners.clear();
    world.trace().note("cluster", "is whole");
    for (Node node : nodes) {
      world.timeline().after(random.nextInt(4_000), node, () -> dropWhatIsNotOwned(node));
    }
  }

  /** Stops the calls that another node owns by now. */
  void dropWhatIsNotOwned(Node node) {
    for (CallShell shell : List.copyOf(node.calls().values())) {
      Node owner = ownerAsSeen(node, shell.heldId());
      if (owner != null && owner != node) {
        drop(shell);
      }
    }
    node.sessions().clear();
  }

  /** Sharding lets a call come to its end, unless the node's own end is faster. */
  private void drop(CallShell shell) {
    if (random.nextBoolean()) {
      shell.receive(new CallMessage.Leave());
    } else {
      shell.leaveNow();
    }
  }

  /** Hands a call to another node, as a rebalance does. */
  void move(String heldId) {
    Node owner = owners.get(heldId);
    Node to = any();
    if (owner == null || to == null || to == owner) {
      return;
    }
    CallShell shell = owner.calls().get(heldId);
    if (shell != null && owner.alive()) {
      drop(shell);
    }
    owners.put(heldId, to);
    world.faults().count(Fault.CALL_MOVED);
    world.trace().note(world.shortName(heldId), "moves to", to::name);
  }

  /** The node that runs the call as the other sees it, or null while it does not know of one. */
  private @Nullable Node ownerAsSeen(@Nullable Node from, String id) {
    Node owner = owners.get(id);
    if (owner == null) {
      owner = choose(from);
      if (owner != null) {
        owners.put(id, owner);
      }
      return owner;
    }
    if (from != null && parted(from, owner)) {
      Node other = otherOwners.get(id);
      if (other == null || givenUp(other)) {
        other = choose(from);
        if (other != null) {
          otherOwners.put(id, other);
        }
      }
      return other;
    }
    if (givenUp(owner)) {
      Node next = choose(from);
      if (next != null) {
        owners.put(id, next);
      }
      return next;
    }
    return owner;
  }

  private boolean givenUp(Node node) {
    long since = node.missedSince();
    return since >= 0 && world.timeline().now() - since >= GIVE_UP_MILLIS;
  }

  /** A node on the side of the one that asks, one that nobody misses. */
  private @Nullable Node choose(@Nullable Node from) {
    int begin = random.nextInt(nodes.size());
    for (int i = 0; i < nodes.size(); i++) {
      Node node = nodes.get((begin + i) % nodes.size());
      if (node.missedSince() < 0 && (from == null || !parted(from, node))) {
        return node;
      }
    }
    return null;
  }

  /** Sends to the call, wherever the sender believes it to be. */
  void tell(Node from, String heldId, CallMessage message) {
    Node owner = ownerAsSeen(from, heldId);
    if (owner != null) {
      world
          .network()
          .send(from, owner, Tell.message(message), () -> shell(owner, heldId).receive(message));
    }
  }

  private CallShell shell(Node node, String heldId) {
    CallShell known = node.calls().get(heldId);
    if (known != null) {
      return known;
    }
    for (Node other : nodes) {
      if (other != node && other.calls().containsKey(heldId)) {
        world.faults().count(Fault.TWO_INCARNATIONS);
      }
    }
    CallShell shell = new CallShell(world, node, heldId);
    node.calls().put(heldId, shell);
    shell.start();
    return shell;
  }

  /** Sends to the session, wherever the sender believes it to be. */
  void link(Node from, String root, SessionShell.Link link) {
    Node owner = ownerAsSeen(from, SessionShell.id(root));
    if (owner != null) {
      world
          .network()
          .send(
              from,
              owner,
              "link",
              () ->
                  owner
                      .sessions()
                      .computeIfAbsent(root, key -> new SessionShell(world, owner, key))
                      .receive(link));
    }
  }
}
