package dev.heldcall.gateway.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.gateway.cluster.Client.Said;
import dev.heldcall.gateway.cluster.History.Attempt;
import dev.heldcall.gateway.cluster.History.Call;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Three nodes under load, and what may befall one of them. Each fault says how long calls did not
 * answer, and leaves three nodes behind.
 */
final class Trial implements AutoCloseable {

  /** How long a killed node's calls may be without an answer. */
  static final Duration BOUND = Duration.ofSeconds(20);

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration TRY = Duration.ofSeconds(5);
  private static final int PARKED = 60;

  private final Effects effects = new Effects();
  private final History history = new History();
  private final ThreeNodes three;
  private final Client client;
  private final Traffic traffic;
  private final Map<Call, Story> parked = new HashMap<>();
  private int crowded;

  Trial(Path folder, List<String> jvmOptions) throws IOException {
    three = new ThreeNodes(folder, effects.uri(), jvmOptions);
    client = new Client(three.nodes(), history);
    traffic = new Traffic(client, history, effects, "s");
  }

  /** Starts the nodes, all at once, and sees that each knows all. */
  void form() throws IOException {
    three.start();
    awaitMembers(three.nodes());
  }

  /** Lets clients come, and parks calls that stay until the end. */
  void load(int width, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < PARKED; i++) {
      Story story = traffic.story(random.split());
      parked.put(story.park(), story);
    }
    traffic.flow(width, seed);
    awaitStories(width);
  }

  /** Lets so many clients come for a while; they are gone when it returns. */
  void crowd(int width, long seed, Duration length) throws InterruptedException {
    Traffic many = new Traffic(client, history, effects, "crowd").flow(width, seed);
    await().pollDelay(length).atMost(length.plus(PATIENCE)).until(() -> many.told() > 0);
    many.stop();
    crowded += many.told();
  }

  /** The lines of all nodes' logs that have the text. */
  List<String> logged(String text) {
    return three.nodes().stream()
        .flatMap(node -> node.log().lines())
        .filter(line -> line.contains(text))
        .toList();
  }

  /** Waits until so many more stories were told. */
  void awaitStories(int more) {
    int before = traffic.told();
    await().atMost(PATIENCE).until(() -> traffic.told() >= before + more);
  }

  /** How many stories were told to their end. */
  int told() {
    return traffic.told() + crowded;
  }

  ClusterNode node(int index) {
    return three.node(index);
  }

  History history() {
    return history;
  }

  /** {@code kill -9}. */
  long kill(int index) throws InterruptedException {
    long since = System.nanoTime();
    node(index).kill();
    return Outage.millis(client, others(index), List.copyOf(parked.keySet()), since);
  }

  /** Time stands still for a node until the others have given it up; then it goes on. */
  long pause(int index, Duration atLeast) throws InterruptedException {
    long since = System.nanoTime();
    node(index).pause();
    long away = Outage.millis(client, others(index), List.copyOf(parked.keySet()), since);
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                System.nanoTime() - since > atLeast.toNanos()
                    && members(others(index).getFirst()).size() == others(index).size());
    node(index).resume();
    return away;
  }

  /** The node neither hears nor reaches the others any more, but clients reach it. */
  long cut(int index) throws InterruptedException {
    long since = System.nanoTime();
    three.cables().cut(node(index).host());
    return Outage.millis(client, others(index), List.copyOf(parked.keySet()), since);
  }

  void mend() {
    three.cables().mend();
  }

  /** SIGTERM: what clients saw of it that they should not have seen goes to the history. */
  long terminate(int index) {
    long since = System.nanoTime();
    int code = node(index).terminate().join();
    long ended = System.nanoTime();
    if (code != 0) {
      history.broken(node(index).host() + " ended with " + code + " after SIGTERM");
    }
    awaitStories(10);
    for (Attempt attempt : history.odd()) {
      boolean its = attempt.host().equals(node(index).host());
      if (its ? attempt.inFlightAt(since) : attempt.overlaps(since, ended)) {
        history.broken("while " + node(index).host() + " left: " + attempt);
      }
    }
    return TimeUnit.NANOSECONDS.toMillis(ended - since);
  }

  /** A node that the others have given up ends by itself, and says so with its exit code. */
  void awaitPutOut(int index) {
    assertThat(node(index).awaitEnd()).isEqualTo(1);
  }

  /** Starts a node again. */
  void restart(int index) throws IOException {
    node(index).start().join();
    awaitAllMembers();
  }

  /** Waits until all nodes that run know each other. */
  void awaitAllMembers() {
    awaitMembers(three.nodes().stream().filter(ClusterNode::isAlive).toList());
  }

  /** Lets all stories come to their end. */
  List<String> problems() throws Exception {
    traffic.stop();
    List<Thread> last = new ArrayList<>();
    parked.forEach((call, story) -> last.add(Thread.ofVirtual().start(() -> story.unpark(call))));
    for (Thread each : last) {
      each.join();
    }
    return new HistoryCheck(client, history, effects).problems();
  }

  private List<ClusterNode> others(int index) {
    List<ClusterNode> left = new ArrayList<>(three.nodes());
    left.remove(index);
    left.removeIf(node -> !node.isAlive());
    return left;
  }

  private void awaitMembers(List<ClusterNode> nodes) {
    for (ClusterNode node : nodes) {
      await().atMost(PATIENCE).until(() -> members(node).size() == nodes.size());
    }
  }

  /** The members that a node knows as up, or none if it does not answer. */
  private List<JsonNode> members(ClusterNode node) {
    Said said = client.once(node, "acme-operator", "/cluster/members", null, "", TRY);
    List<JsonNode> up = new ArrayList<>();
    if (said != null && said.status() == 200) {
      JsonNode items = said.body().path("members");
      for (JsonNode member : items) {
        up.add(member);
        if (!member.path("status").asText().equals("up")) {
          return List.of();
        }
      }
    }
    return up;
  }

  @Override
  public void close() {
    three.close();
    client.close();
    effects.close();
  }
}
