package dev.heldcall.kernel.api;

import java.util.List;

/**
 * A node of the cluster as this node sees it.
 *
 * @param address host and port
 * @param status joining, weakly-up, up, leaving, exiting, down or removed
 * @param roles its roles
 * @param reachable whether this node's failure detector reaches it
 * @param self whether it is this node
 */
public record ClusterMember(
    String address, String status, List<String> roles, boolean reachable, boolean self) {

  public ClusterMember {
    roles = List.copyOf(roles);
  }
}
