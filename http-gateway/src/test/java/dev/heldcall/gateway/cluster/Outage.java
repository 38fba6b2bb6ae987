package dev.heldcall.gateway.cluster;

import dev.heldcall.gateway.cluster.Client.Said;
import dev.heldcall.gateway.cluster.History.Call;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Measures for how long calls do not answer while a node is away. */
final class Outage {

  private static final Duration TRY = Duration.ofSeconds(2);
  private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Outage() {}

  /**
   * Asks each call at the nodes that are left until it answers.
   *
   * @return milliseconds from {@code since} until the last of them has answered
   */
  static long millis(Client client, List<ClusterNode> left, List<Call> calls, long since)
      throws InterruptedException {
    List<Thread> asking = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      ClusterNode node = left.get(i % left.size());
      asking.add(Thread.ofVirtual().start(() -> ask(client, node, call, since)));
    }
    for (Thread each : asking) {
      each.join();
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
  }

  private static void ask(Client client, ClusterNode node, Call call, long since) {
    while (System.nanoTime() - since < LONGEST_NANOS) {
      Said said = client.once(node, "acme-operator", "/held/" + call.heldId, null, "", TRY);
      if (said != null && said.status() == 200) {
        return;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
