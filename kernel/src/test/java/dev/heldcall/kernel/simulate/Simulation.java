package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.codec.JournalCodec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One seed: a world of nodes, calls and people, made and played from nothing but the seed. Seven
 * seeds of ten are safety runs, with faults to the end; in the others the faults stop, and then all
 * must come to an end or wait for somebody.
 */
final class Simulation {

  private static final int MOST_STEPS = 200_000;
  private static final int CLOSING_MILLIS = 30_000;
  private static final int QUIET_MILLIS = 600_000;
  private static final int QUIET_AFTER_WILD_CLOCKS_MILLIS = 2_700_000;

  private final long seed;
  private final boolean live;
  private final Set<Plant> plants;
  private final SplittableRandom random;
  private final Timeline timeline = new Timeline();
  private final Trace trace;
  private final Faults faults;
  private final Scenario scenario;
  private final Cluster cluster;
  private final Network network;
  private final Journal journal;
  private final PolicyBook policies;
  private final ToolWorld tools;
  private final MailboxWorld mailbox;
  private final IndexWorld index;
  private final Gateway gateway;
  private final Agent agent;
  private final Witnesses witnesses;
  private final Workers workers;
  private final Operators operators;
  private final Troubles troubles;
  private final Oracle oracle;
  private final List<Client> clients = new ArrayList<>();
  private boolean closed;

  private Simulation(long seed, Set<Plant> plants, boolean text, JournalCodec codec) {
    this.seed = seed;
    this.live = Math.floorMod(seed, 10) >= 7;
    this.plants = plants.isEmpty() ? Set.of() : EnumSet.copyOf(plants);
    random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + 1);
    trace = new Trace(timeline, text);
    faults = new Faults(random);
    scenario = new Scenario(random);
    cluster = new Cluster(this, scenario.nodes());
    network = new Network(this);
    journal = new Journal(this, codec);
    policies = new PolicyBook(this, scenario.firstPolicy());
    tools = new ToolWorld(this);
    mailbox = new MailboxWorld(this);
    index = new IndexWorld(this);
    gateway = new Gateway(this);
    troubles = new Troubles(this);
    oracle = new Oracle(this);
    agent = new Agent(this);
    witnesses = new Witnesses(this);
    workers = new Workers(this);
    operators = new Operators(this);
    clients.add(agent);
    clients.addAll(witnesses.clients());
    clients.add(workers.client());
    clients.add(operators.client());
  }

  /** Plays a seed with planted bugs. */
  static SeedResult run(long seed, JournalCodec codec, Set<Plant> plants) {
    return new Simulation(seed, plants, false, codec).play();
  }

  /** Plays a seed once more, and tells what happens. */
  static SeedResult replay(long seed, JournalCodec codec, Set<Plant> plants) {
    return new Simulation(seed, plants, true, codec).play();
  }

  private SeedResult play() {
    int troubled = 25_000 + random.nextInt(live ? 20_000 : 40_000);
    troubles.plan(troubled);
    agent.begin();
    playUntil(troubled);
    if (oracle.violation() == null && live) {
      troubles.stop();
      int quiet = scenario.wildClocks() ? QUIET_AFTER_WILD_CLOCKS_MILLIS : QUIET_MILLIS;
      playUntil(troubled + quiet);
      closed = true;
      playUntil(troubled + quiet + CLOSING_MILLIS);
    }
    EndCheck end = new EndCheck(this);
    if (oracle.violation() == null) {
      end.safety();
    }
    if (oracle.violation() == null && live) {
      end.liveness();
    }
    if (oracle.violation() != null) {
      cluster.nodes().forEach(node -> node.calls().values().forEach(this::noteAtEnd));
    }
    return new SeedResult(
        seed,
        live,
        timeline.steps(),
        trace.digest(),
        faults.struck(),
        oracle.violation(),
        trace.lines());
  }

  private void noteAtEnd(CallShell shell) {
    trace.note("end", "of", shell::toString);
  }

  private void playUntil(long until) {
    try {
      while (oracle.violation() == null && timeline.step(until)) {
        if (timeline.steps() > MOST_STEPS) {
          oracle.broken("it never comes to rest");
        }
      }
    } catch (RuntimeException e) {
      StackTraceElement[] where = e.getStackTrace();
      oracle.broken("thrown: " + e + (where.length == 0 ? "" : " at " + where[0]));
    }
  }

  /** Whether nobody begins to want anything any more: only what was asked is answered. */
  boolean closed() {
    return closed;
  }

  boolean planted(Plant plant) {
    return !plants.isEmpty() && plants.contains(plant);
  }

  String shortName(String id) {
    return Scenario.shortName(id);
  }

  SplittableRandom random() {
    return random;
  }

  Timeline timeline() {
    return timeline;
  }

  Trace trace() {
    return trace;
  }

  Faults faults() {
    return faults;
  }

  Scenario scenario() {
    return scenario;
  }

  Cluster cluster() {
    return cluster;
  }

  Network network() {
    return network;
  }

  Journal journal() {
    return journal;
  }

  PolicyBook policies() {
    return policies;
  }

  ToolWorld tools() {
    return tools;
  }

  MailboxWorld mailbox() {
    return mailbox;
  }

  IndexWorld index() {
    return index;
  }

  Gateway gateway() {
    return gateway;
  }

  Agent agent() {
    return agent;
  }

  Witnesses witnesses() {
    return witnesses;
  }

  Workers workers() {
    return workers;
  }

  Operators operators() {
    return operators;
  }

  Troubles troubles() {
    return troubles;
  }

  Oracle oracle() {
    return oracle;
  }

  List<Client> clients() {
    return clients;
  }
}
