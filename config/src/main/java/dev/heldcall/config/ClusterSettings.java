package dev.heldcall.config;

import java.util.List;

/**
 * The node's place in its cluster ({@code heldcall.cluster}).
 *
 * @param host under which other nodes reach this one
 * @param port 1 to 65535, or 0 for any free port
 * @param seeds the nodes to join, each {@code host:port}; empty for a cluster of this node alone
 */
public record ClusterSettings(String host, int port, List<String> seeds) {
  public ClusterSettings {
    seeds = List.copyOf(seeds);
  }
}
