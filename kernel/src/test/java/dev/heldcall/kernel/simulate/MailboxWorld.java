package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.deliver.MailboxItem;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** The session's mailbox in the database: a delivery once, however often it is offered. */
final class MailboxWorld {

  private final Simulation world;
  private final SplittableRandom random;
  private final Map<String, Item> items = new LinkedHashMap<>();

  /** A delivery; whether it is acknowledged may change, nothing else does. */
  static final class Item {
    final String heldId;
    boolean acknowledged;

    Item(String heldId) {
      this.heldId = heldId;
    }
  }

  MailboxWorld(Simulation world) {
    this.world = world;
    this.random = world.random();
  }

  /** A call's delivery by its id. */
  Map<String, Item> items() {
    return items;
  }

  /**
   * A node writes a concluded call, its row and its conclusion, and is told whether that worked.
   */
  void write(Node node, HeldCallFacts facts, long sequence, Consumer<Boolean> told) {
    boolean fails = world.faults().strikes(Fault.MAILBOX_FAILED);
    boolean unheard = world.faults().strikes(Fault.MAILBOX_ANSWER_LOST);
    String late = world.planted(Plant.DELIVERY_IN_NODE_TIME) ? node.clock().toString() : "";
    long made = 1L + random.nextInt(5);
    if (!fails) {
      world
          .timeline()
          .after(
              made,
              () -> {
                put(facts, MailboxItem.of(facts) + late);
                world.index().write(facts, sequence, false);
              });
    }
    boolean heard = !fails && !unheard;
    world.timeline().after(made + 1 + random.nextInt(3), node, () -> told.accept(heard));
  }

  /** The conclusion, once, and whether it is acknowledged. */
  void conclude(HeldCallFacts facts) {
    put(facts, MailboxItem.of(facts).toString());
    if (facts.delivery() == Delivery.ACKNOWLEDGED) {
      mark(facts);
    }
  }

  private void put(HeldCallFacts facts, String content) {
    String heldId = facts.requireSpec().heldId();
    String deliveryId = OutcomeJson.deliveryId(facts);
    world.oracle().offered(heldId, deliveryId, content);
    if (!items.containsKey(deliveryId)) {
      items.put(deliveryId, new Item(heldId));
      world.trace().note("mailbox", "has", () -> world.shortName(heldId));
      world.agent().delivered(heldId, deliveryId);
    }
  }

  /** Marks it now. */
  void mark(HeldCallFacts facts) {
    Item item = items.get(OutcomeJson.deliveryId(facts));
    if (item != null) {
      world.oracle().marked(item.heldId);
      item.acknowledged = true;
    }
  }
}
