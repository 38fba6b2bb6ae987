package dev.heldcall.gateway.crash;

import dev.heldcall.gateway.crash.Client.NodeGoneException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** One telling of the story, which survives the node that it is told to. */
final class Story {

  private final int number;
  private final Ledger ledger = new Ledger();
  private final ToolLedger tools;
  private final @Nullable Journal journal;
  private final Map<String, Teller> tellers = new ConcurrentHashMap<>();
  private final Set<String> done = ConcurrentHashMap.newKeySet();
  private int answered;
  private int lost;

  /**
   * A story to tell.
   *
   * @param journal with what takes long and brings few points, or null for without
   */
  Story(int number, ToolLedger tools, @Nullable Journal journal) {
    this.number = number;
    this.tools = tools;
    this.journal = journal;
  }

  /**
   * Tells what is left of it, all strands at once and the extras after them, until all are at their
   * end or the node is gone.
   *
   * @return whether it is at its end
   * @throws AssertionError if the node answers what it must not
   */
  boolean tell(CrashNode node) throws InterruptedException {
    List<Throwable> wrong = new CopyOnWriteArrayList<>();
    try (Client client = new Client(node.uri())) {
      tellAll(client, Strands.of(number), wrong);
      if (done.containsAll(Strands.of(number).keySet())) {
        tellAll(client, Strands.extras(journal), wrong);
      }
      answered += client.answered();
      lost += client.lost();
    }
    if (!wrong.isEmpty()) {
      AssertionError first = new AssertionError("story " + number + ": " + wrong, wrong.getFirst());
      first.addSuppressed(new AssertionError(node.said()));
      throw first;
    }
    return done.size() == Strands.of(number).size() + Strands.extras(journal).size();
  }

  private void tellAll(Client client, Map<String, Strands.Script> scripts, List<Throwable> wrong)
      throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (Map.Entry<String, Strands.Script> each : scripts.entrySet()) {
      if (!done.contains(each.getKey())) {
        Runnable strand = () -> play(each.getKey(), each.getValue(), client, wrong);
        threads.add(Thread.ofVirtual().name(each.getKey()).start(strand));
      }
    }
    for (Thread each : threads) {
      each.join();
    }
  }

  private void play(String name, Strands.Script script, Client client, List<Throwable> wrong) {
    Teller teller =
        tellers.computeIfAbsent(name, key -> new Teller("" + number, key, ledger, tools));
    teller.speakTo(client);
    try {
      script.play(teller);
      done.add(name);
    } catch (NodeGoneException e) {
      // the node is started again, and then this strand too
    } catch (RuntimeException | AssertionError e) {
      wrong.add(new AssertionError(name + ": " + e, e));
    }
  }

  /** Waits for a change of the call that waits for a person, which does not come. */
  CompletableFuture<Client.Got> waitAt(Client client) throws InterruptedException {
    Ledger.Call call =
        ledger.calls().stream()
            .filter(each -> each.strand().equals("waiting"))
            .findFirst()
            .orElseThrow();
    try {
      String path = "/held/" + call.heldId();
      String etag = client.get("agent", path).etag();
      CompletableFuture<Client.Got> got =
          client.getSoon("agent", path + "?wait_ms=30000&since=" + etag);
      // The next request is answered after that one was taken in.
      var _ = client.get("agent", path).is(200);
      return got;
    } catch (NodeGoneException e) {
      throw new AssertionError("a node died that nobody has killed", e);
    }
  }

  int number() {
    return number;
  }

  Ledger ledger() {
    return ledger;
  }

  ToolLedger tools() {
    return tools;
  }

  /** How many requests were answered so far. */
  int answered() {
    return answered;
  }

  /** How many were sent so far and never answered. */
  int lost() {
    return lost;
  }
}
