package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.HeldCallFacts;

/** Publishes a witness request until it is out, as {@code WitnessRouteActor} does. */
final class Publishing implements CallWork.Child {

  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final long LONGEST_PAUSE_MILLIS = 60_000;

  private final Simulation world;
  private final Node node;
  private final HeldCallFacts facts;
  private final String witnessClass;
  private long pause = FIRST_PAUSE_MILLIS;
  private boolean stopped;

  Publishing(Simulation world, Node node, HeldCallFacts facts, String witnessClass) {
    this.world = world;
    this.node = node;
    this.facts = facts;
    this.witnessClass = witnessClass;
    world.timeline().after(0, node, this::publish);
  }

  private void publish() {
    if (stopped) {
      return;
    }
    if (world.faults().strikes(Fault.PUBLISH_FAILED)) {
      world.timeline().after(pause, node, this::publish);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
    } else {
      world.witnesses().asked(facts.requireSpec().heldId(), witnessClass);
    }
  }

  @Override
  public void stop(boolean heard) {
    stopped = true;
  }
}
