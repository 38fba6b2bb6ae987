package dev.heldcall.gateway.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Many clients at once, each telling one story after the other, until they are told to stop. */
public final class Traffic {

  private final Client client;
  private final History history;
  private final Effects effects;
  private final String name;
  private final AtomicInteger sessions = new AtomicInteger();
  private final AtomicInteger told = new AtomicInteger();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final List<Thread> clients = new ArrayList<>();

  /**
   * Traffic that does not flow yet.
   *
   * @param name begins the name of every session
   */
  public Traffic(Client client, History history, Effects effects, String name) {
    this.client = client;
    this.history = history;
    this.effects = effects;
    this.name = name;
  }

  Story story(SplittableRandom random) {
    String session = name + "-" + sessions.incrementAndGet();
    return new Story(client, history, effects, random, session);
  }

  public Traffic flow(int width, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < width; i++) {
      SplittableRandom own = random.split();
      clients.add(Thread.ofVirtual().start(() -> tellStories(own)));
    }
    return this;
  }

  private void tellStories(SplittableRandom random) {
    while (!stopped.get()) {
      try {
        story(random).tell();
        told.incrementAndGet();
      } catch (RuntimeException e) {
        history.broken("a story broke off: " + e);
      }
    }
  }

  /** How many stories were told to their end. */
  public int told() {
    return told.get();
  }

  /** Lets every story come to its end, and begins none. */
  public void stop() throws InterruptedException {
    stopped.set(true);
    for (Thread each : clients) {
      each.join();
    }
  }
}
