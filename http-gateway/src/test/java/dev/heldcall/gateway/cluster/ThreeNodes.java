package dev.heldcall.gateway.cluster;

import dev.heldcall.gateway.product.Cast;
import dev.heldcall.kernel.store.TestDatabases;
import dev.heldcall.kernel.store.TestDatabases.Database;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A cluster of three processes on 127.0.0.1, .2 and .3, on one PostgreSQL, with one set of tools.
 */
final class ThreeNodes implements AutoCloseable {

  private final Cables cables = new Cables();
  private final List<ClusterNode> nodes = new ArrayList<>();

  /**
   * Makes the nodes, and starts none.
   *
   * @param folder for configuration and logs
   * @param tools where the tools are
   * @param jvmOptions of every node
   */
  ThreeNodes(Path folder, URI tools, List<String> jvmOptions) throws IOException {
    Database database = TestDatabases.postgres();
    Path base = folder.resolve("node.conf");
    try (InputStream text = ThreeNodes.class.getResourceAsStream("/cluster/node.conf")) {
      Files.write(base, Objects.requireNonNull(text).readAllBytes());
    }
    Path cast = Files.writeString(folder.resolve("cast.conf"), Cast.hocon());
    List<String> hosts = List.of("127.0.0.1", "127.0.0.2", "127.0.0.3");
    List<Integer> inner = new ArrayList<>();
    List<String> seeds = new ArrayList<>();
    for (String host : hosts) {
      int port = freePort(host);
      inner.add(port);
      seeds.add(host + ":" + cables.plug(host, port));
    }
    for (int i = 0; i < hosts.size(); i++) {
      String host = hosts.get(i);
      int http = freePort(host);
      Path own = Files.writeString(folder.resolve(host + ".conf"), behindCable(host, inner.get(i)));
      Map<String, String> environment = new HashMap<>();
      environment.put("TOOLS", tools.toString());
      environment.put("HELDCALL_DATA", folder.resolve(host).toString());
      environment.put("HELDCALL_DB_URL", String.valueOf(database.url()));
      environment.put("HELDCALL_DB_USER", String.valueOf(database.user()));
      environment.put("HELDCALL_DB_PASSWORD", String.valueOf(database.password()));
      environment.put("HELDCALL_HTTP_INTERFACE", host);
      environment.put("HELDCALL_HTTP_PORT", Integer.toString(http));
      environment.put("HELDCALL_CLUSTER_HOST", host);
      environment.put("HELDCALL_CLUSTER_PORT", seeds.get(i).substring(host.length() + 1));
      environment.put("HELDCALL_CLUSTER_SEEDS", String.join(",", seeds));
      nodes.add(
          new ClusterNode(
              host,
              URI.create("http://" + host + ":" + http),
              List.of(base, cast, own),
              environment,
              jvmOptions,
              folder.resolve(host + ".log")));
    }
  }

  /** The port that others know is the cable's; the node itself listens on another. */
  private static String behindCable(String host, int port) {
    return """
        pekko.remote.artery {
          bind { hostname = "%s", port = %d }
          advanced.tcp.outbound-client-hostname = "%s"
        }
        """
        .formatted(host, port, host);
  }

  private static int freePort(String host) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return socket.getLocalPort();
    }
  }

  /** Starts all three at once, and waits until all are ready. */
  ThreeNodes start() throws IOException {
    List<CompletableFuture<Void>> ready = new ArrayList<>();
    for (ClusterNode node : nodes) {
      ready.add(node.start());
    }
    ready.forEach(CompletableFuture::join);
    return this;
  }

  List<ClusterNode> nodes() {
    return nodes;
  }

  ClusterNode node(int index) {
    return nodes.get(index);
  }

  Cables cables() {
    return cables;
  }

  @Override
  public void close() {
    for (ClusterNode node : nodes) {
      if (node.isAlive()) {
        node.kill();
      }
    }
    cables.close();
  }
}
