package dev.heldcall.kernel.api;

import dev.heldcall.kernel.journal.ClusterContact;
import dev.heldcall.kernel.readside.DatabaseClock;
import dev.heldcall.kernel.store.JdbcExecutor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.typed.Cluster;

/** Whether the node takes work, and whom it knows. */
final class NodeStatus {

  private static final long MAX_SKEW_MILLIS = 2_000;
  private static final long DATABASE_SECONDS = 3;

  private final Cluster cluster;
  private final JdbcExecutor jdbc;
  private final DatabaseClock clock;
  private final Supplier<String> floor;
  private final Leaving leaving;
  private final ClusterContact contact;

  /**
   * The status of this node.
   *
   * @param floor {@code ok}, or why this node's floor keeps it from taking leases
   */
  NodeStatus(
      Cluster cluster,
      JdbcExecutor jdbc,
      DatabaseClock clock,
      Supplier<String> floor,
      Leaving leaving,
      ClusterContact contact) {
    this.cluster = cluster;
    this.jdbc = jdbc;
    this.clock = clock;
    this.floor = floor;
    this.leaving = leaving;
    this.contact = contact;
  }

  /** Whether this node hears its cluster. */
  boolean inContact() {
    return contact.holds();
  }

  CompletionStage<NodeHealth> health() {
    return jdbc.ask(clock::skewMillis)
        .orTimeout(DATABASE_SECONDS, TimeUnit.SECONDS)
        .handle(
            (skew, failure) -> {
              Map<String, String> checks = new LinkedHashMap<>();
              checks.put("database", failure == null ? "ok" : "does not answer");
              if (failure == null) {
                checks.put(
                    "clock",
                    Math.abs(skew) <= MAX_SKEW_MILLIS
                        ? "ok"
                        : "off the database's clock by " + skew + " ms, at most 2000 are allowed");
              }
              String status =
                  leaving.isTold()
                      ? "leaving"
                      : contact.holds() ? name(cluster.selfMember()) : "without contact";
              checks.put("cluster", status.equals("up") ? "ok" : "this node is " + status);
              checks.put("policy", floor.get());
              boolean ready = checks.values().stream().allMatch("ok"::equals);
              return new NodeHealth(ready, checks);
            });
  }

  List<ClusterMember> members() {
    ClusterEvent.CurrentClusterState state = cluster.state();
    Set<Member> unreachable = state.getUnreachable();
    List<ClusterMember> members = new ArrayList<>();
    for (Member member : state.getMembers()) {
      members.add(
          new ClusterMember(
              member.address().hostPort(),
              name(member),
              List.copyOf(member.getRoles()),
              !unreachable.contains(member),
              member.uniqueAddress().equals(cluster.selfMember().uniqueAddress())));
    }
    return members;
  }

  private static String name(Member member) {
    return member
        .status()
        .toString()
        .replaceAll("([a-z])([A-Z])", "$1-$2")
        .toLowerCase(Locale.ROOT);
  }
}
