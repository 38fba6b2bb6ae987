package dev.heldcall.gateway.crash;

import dev.heldcall.gateway.crash.Client.NodeGoneException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** One telling of the story, which survives the node that it is told to. */
final class Story {

  private final int number;
  private final Ledger ledger = new Ledger();
  private final ToolLedger tools;
  private final Map<String, Strands.Script> scripts;
  private final Map<String, Teller> tellers = new LinkedHashMap<>();
  private final Set<String> done = ConcurrentHashMap.newKeySet();
  private int answered;
  private int lost;

  Story(int number, ToolLedger tools) {
    this.number = number;
    this.tools = tools;
    this.scripts = Strands.of(number);
    scripts.forEach(
        (name, script) -> tellers.put(name, new Teller("" + number, name, ledger, tools)));
  }

  /**
   * Tells what is left of it, all strands at once, until all are at their end or the node is gone.
   *
   * @return whether it is at its end
   * @throws AssertionError if the node answers what it must not
   */
  boolean tell(CrashNode node) throws InterruptedException {
    List<Throwable> wrong = new CopyOnWriteArrayList<>();
    try (Client client = new Client(node.uri())) {
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
      answered += client.answered();
      lost += client.lost();
    }
    if (!wrong.isEmpty()) {
      AssertionError first = new AssertionError("story " + number + ": " + wrong, wrong.getFirst());
      first.addSuppressed(new AssertionError(node.said()));
      throw first;
    }
    return done.size() == scripts.size();
  }

  private void play(String name, Strands.Script script, Client client, List<Throwable> wrong) {
    Teller teller = tellers.get(name);
    if (teller == null) {
      throw new IllegalStateException(name);
    }
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
