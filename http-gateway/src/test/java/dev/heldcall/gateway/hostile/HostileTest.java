package dev.heldcall.gateway.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.gateway.cluster.Client;
import dev.heldcall.gateway.cluster.ClusterNode;
import dev.heldcall.gateway.cluster.Effects;
import dev.heldcall.gateway.cluster.History;
import dev.heldcall.gateway.cluster.HistoryCheck;
import dev.heldcall.gateway.cluster.Traffic;
import dev.heldcall.gateway.product.Cast;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Twenty thousand requests that no client should send, in a node with 512 MB: none is answered with
 * a fault of the server, none leaves a trace of one in the log, and honest clients lose nothing.
 */
@Timeout(300)
class HostileTest {

  private static final int SHOTS = Integer.getInteger("heldcall.hostile.shots", 20_000);
  private static final long SEED = Long.getLong("heldcall.hostile.seed", 7);
  private static final int HONEST = 3;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void aStormOfNonsenseBreaksNothing() throws Exception {
    Findings findings = new Findings();
    History history = new History();
    try (Effects effects = new Effects()) {
      ClusterNode node = node(effects.uri());
      node.start().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      try (Client client = new Client(List.of(node), history)) {
        Traffic honest = new Traffic(client, history, effects, "s").flow(HONEST, SEED);
        await().atMost(PATIENCE).until(() -> honest.told() >= HONEST);
        SplittableRandom targets = new SplittableRandom(SEED);
        new Storm(node.uri().getPort(), findings, Route.all(), () -> someCall(history, targets))
            .rage(SHOTS, SEED);
        int toldInTheStorm = honest.told();
        await().atMost(PATIENCE).until(() -> honest.told() > toldInTheStorm + HONEST);
        honest.stop();

        assertThat(client.get("acme-operator", "/health/ready").status()).isEqualTo(200);
        assertThat(new HistoryCheck(client, history, effects).problems()).isEmpty();
      } finally {
        node.kill();
      }
      assertThat(findings.wrong()).as("%s", findings.counts()).isEmpty();
      assertThat(findings.sent()).isGreaterThanOrEqualTo(SHOTS);
      assertThat(node.log().lines().filter(HostileTest::tellsOfAFault)).isEmpty();
    }
  }

  private static boolean tellsOfAFault(String line) {
    return line.contains(" ERROR ")
        || line.startsWith("\tat ")
        || line.contains("OutOfMemoryError")
        || line.contains("StackOverflowError");
  }

  private static synchronized String someCall(History history, SplittableRandom random) {
    List<History.Call> calls = history.calls();
    String heldId = calls.get(random.nextInt(calls.size())).heldId();
    return heldId.isEmpty() ? "hc_" + "a".repeat(52) : heldId;
  }

  private ClusterNode node(URI tools) throws IOException {
    Path base = folder.resolve("node.conf");
    try (InputStream text = HostileTest.class.getResourceAsStream("/cluster/node.conf")) {
      Files.write(base, Objects.requireNonNull(text).readAllBytes());
    }
    Path cast = Files.writeString(folder.resolve("cast.conf"), Cast.hocon());
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    return new ClusterNode(
        "127.0.0.1",
        URI.create("http://127.0.0.1:" + port),
        List.of(base, cast),
        Map.of(
            "TOOLS", tools.toString(),
            "HELDCALL_DATA", folder.resolve("data").toString(),
            "HELDCALL_HTTP_INTERFACE", "127.0.0.1",
            "HELDCALL_HTTP_PORT", Integer.toString(port),
            "HELDCALL_CLUSTER_PORT", "0"),
        List.of("-Xmx512m", "-XX:TieredStopAtLevel=1"),
        folder.resolve("node.log"));
  }
}
