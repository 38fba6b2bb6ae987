package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.HeldCallFacts;

/** Offers a conclusion to the mailbox until it is there, as {@code DeliveryActor} does. */
final class Offering implements CallWork.Child {

  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long LONGEST_PAUSE_MILLIS = 30_000;

  private final Simulation world;
  private final Node node;
  private final CallShell shell;
  private final HeldCallFacts facts;
  private final long sequence;
  private long pause = FIRST_PAUSE_MILLIS;
  private boolean stopped;

  Offering(Simulation world, Node node, CallShell shell, HeldCallFacts facts, long sequence) {
    this.world = world;
    this.node = node;
    this.shell = shell;
    this.facts = facts;
    this.sequence = sequence;
    world.timeline().after(0, node, this::offer);
  }

  private void offer() {
    if (stopped) {
      return;
    }
    world
        .mailbox()
        .write(
            node,
            facts,
            sequence,
            done -> {
              if (stopped) {
                return;
              }
              if (done) {
                stopped = true;
                shell.receive(new CallMessage.Offered());
              } else if (!world.planted(Plant.OFFER_ONCE)) {
                world.timeline().after(pause, node, this::offer);
                pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
              }
            });
  }

  @Override
  public void stop(boolean heard) {
    stopped = true;
  }
}
