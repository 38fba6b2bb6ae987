package dev.heldcall.kernel.simulate;

import java.util.List;
import java.util.SplittableRandom;

/** What a seed's plan does to nodes, clocks, clients and policy, and when it stops doing so. */
final class Troubles {

  private static final int FAR_MILLIS = 1_200_000;

  private final Simulation world;
  private final SplittableRandom random;

  Troubles(Simulation world) {
    this.world = world;
    this.random = world.random();
  }

  /** Plans them for the time up to the given one, in milliseconds. */
  void plan(int until) {
    for (Node node : world.cluster().nodes()) {
      node.offset(skew());
    }
    some(3, until, this::crash);
    some(3, until, this::pause);
    some(2, until, this::stall);
    some(3, until, this::part);
    some(3, until, this::jump);
    some(3, until, this::adopt);
    some(2, until, this::move);
    some(2, until, this::crashClient);
    some(2, until, this::speakUnasked);
    some(1, until, this::operatorCancels);
  }

  private void some(int most, int until, Runnable trouble) {
    int times = random.nextInt(most + 1);
    for (int i = 0; i < times; i++) {
      world
          .timeline()
          .after(
              random.nextInt(until),
              () -> {
                if (!world.faults().stopped()) {
                  trouble.run();
                }
              });
    }
  }

  /** Everything is well from now on. */
  void stop() {
    world.faults().stop();
    world.cluster().heal();
    for (Node node : world.cluster().nodes()) {
      node.restart();
      node.resume();
      node.offset(random.nextInt(400) - 200);
    }
    world.trace().note("world", "is well again");
  }

  private Node any() {
    List<Node> nodes = world.cluster().nodes();
    return nodes.get(random.nextInt(nodes.size()));
  }

  private void crash() {
    Node node = any();
    if (!node.alive()) {
      return;
    }
    List.copyOf(node.calls().values()).forEach(CallShell::stop);
    node.crash();
    world.faults().count(Fault.NODE_CRASHED);
    world.trace().note(node.name(), "crashes");
    world
        .timeline()
        .after(
            500 + random.nextInt(12_000),
            () -> {
              node.restart();
              world.trace().note(node.name(), "is back");
            });
  }

  private void pause() {
    world.faults().count(Fault.NODE_PAUSED);
    pauseLong(any());
  }

  private void stall() {
    world.faults().count(Fault.NODE_STALLED);
    pause(any(), 200 + random.nextInt(4_500));
  }

  /** Pauses the node for longer than a lease lasts, perhaps for longer than it takes to settle. */
  void pauseLong(Node node) {
    pause(node, 5_500 + random.nextInt(30_000));
  }

  private void pause(Node node, int millis) {
    if (!node.alive() || node.missedSince() >= 0) {
      return;
    }
    node.pause(millis);
    world.trace().note(node.name(), "is paused", () -> millis + " ms");
    world
        .timeline()
        .after(
            millis + random.nextInt(3_000), node, () -> world.cluster().dropWhatIsNotOwned(node));
  }

  private void part() {
    world.cluster().part(500 + random.nextInt(20_000));
  }

  private int skew() {
    int most = (int) ToolWorld.MOST_SKEW_MILLIS;
    return random.nextInt(2 * most + 1) - most;
  }

  private void jump() {
    Node node = any();
    int to =
        world.scenario().wildClocks() && random.nextBoolean()
            ? random.nextInt(2 * FAR_MILLIS) - FAR_MILLIS
            : skew();
    node.offset(to);
    world.faults().count(Fault.CLOCK_JUMPED);
    world.trace().note(node.name(), "clock jumps to", () -> to + " ms off");
  }

  /** Another policy comes into force, or the first one again. */
  void adopt() {
    List<PolicyVariant> all = PolicyVariant.ALL;
    boolean again = random.nextInt(3) == 0;
    world
        .policies()
        .adopt(again ? world.scenario().firstPolicy() : all.get(random.nextInt(all.size())));
  }

  private void move() {
    world.cluster().move(anyCall());
  }

  private void crashClient() {
    List<Client> clients = world.clients();
    clients.get(random.nextInt(clients.size())).crash(300 + random.nextInt(6_000));
  }

  private void speakUnasked() {
    world.witnesses().unasked(anyCall());
  }

  private void operatorCancels() {
    if (random.nextInt(3) == 0) {
      world.agent().cancel(world.operators().client(), anyCall(), false);
    }
  }

  private String anyCall() {
    List<Scenario.CallPlan> calls = world.scenario().calls();
    return calls.get(random.nextInt(calls.size())).heldId();
  }
}
