package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.witness.KeyStandings;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Which policy is in force when, in the database, and reads of it that take their time: a read that
 * began before a change may come back after it with what was in force before.
 */
final class PolicyBook {

  private final Simulation world;
  private final SplittableRandom random;
  private final List<Adopted> adopted = new ArrayList<>();

  /** What came into force when; its place in the list, from 1, is its epoch. */
  record Adopted(long at, PolicyVariant variant) {}

  PolicyBook(Simulation world, PolicyVariant first) {
    this.world = world;
    this.random = world.random();
    adopted.add(new Adopted(0, first));
  }

  /** Another policy comes into force. */
  void adopt(PolicyVariant variant) {
    adopted.add(new Adopted(world.timeline().now(), variant));
    world.faults().count(Fault.POLICY_CHANGED);
    world.trace().note("policy", "changes to", () -> variant.name() + ", epoch " + epoch());
  }

  /** The epoch in force now. */
  long epoch() {
    return adopted.size();
  }

  /** The epoch that was in force at the time. */
  long epochAt(long time) {
    long epoch = 1;
    for (int i = 1; i < adopted.size(); i++) {
      if (adopted.get(i).at() <= time) {
        epoch = i + 1L;
      }
    }
    return epoch;
  }

  /** What the epoch stands for; null if there never was one of that number. */
  @Nullable PolicyVariant variant(long epoch) {
    return epoch < 1 || epoch > adopted.size() ? null : adopted.get((int) epoch - 1).variant();
  }

  /** The policy in force, without a read: nothing may be released on it. */
  PolicyInForce latest() {
    return adopted.getLast().variant().inForce(epoch(), false, true);
  }

  /** The policy as the node last read it; never fresh. */
  PolicyInForce lastKnown(Node node) {
    PolicyInForce known = node.known();
    if (known == null) {
      return new PolicyInForce(
          CoreFixtures.ALLOW,
          -1,
          false,
          false,
          ref -> new TreeSet<>(),
          name -> List.of(),
          KeyStandings.ALL_STAND);
    }
    return new PolicyInForce(
        known.layers(),
        known.epoch(),
        false,
        known.floorAgreed(),
        known.capabilitiesNow(),
        known.roster(),
        KeyStandings.ALL_STAND);
  }

  /** A read that begins now; it comes back with null if it fails. */
  void read(Node node, Consumer<@Nullable PolicyInForce> came) {
    Faults faults = world.faults();
    long begins = random.nextInt(3);
    long takes = 1L + random.nextInt(4);
    if (faults.strikes(Fault.POLICY_READ_FAILED)) {
      world.timeline().after(begins + random.nextInt(2_000), node, () -> came.accept(null));
      return;
    }
    long comes = faults.strikes(Fault.POLICY_READ_SLOW) ? 500L + random.nextInt(4_000) : takes;
    if (comes > takes && random.nextInt(4) == 0) {
      world.timeline().after(begins + random.nextLong(comes), world.troubles()::adopt);
    }
    boolean floorAgreed = !faults.strikes(Fault.FLOOR_DISAGREES);
    world
        .timeline()
        .after(
            begins,
            () -> {
              long epoch = epoch();
              PolicyInForce seen = adopted.getLast().variant().inForce(epoch, true, floorAgreed);
              world.timeline().after(comes, node, () -> arrive(node, seen, came));
            });
  }

  private static void arrive(
      Node node, PolicyInForce seen, Consumer<@Nullable PolicyInForce> came) {
    PolicyInForce before = node.known();
    if (before == null || before.epoch() <= seen.epoch()) {
      node.know(seen);
    }
    came.accept(seen);
  }
}
