package dev.heldcall.kernel.work;

import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.CI;
import static dev.heldcall.kernel.call.CoreFixtures.HUMAN;
import static dev.heldcall.kernel.call.CoreFixtures.demand;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Lifecycle;
import dev.heldcall.kernel.call.LiveCall;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * In a world that loses, doubles and delays, but does not lie, a call has at most one effect, and
 * what its session is told is what happened.
 */
class HonestWorldTest {

  private static final List<String> TOOLS =
      List.of(CoreFixtures.TRANSFER, CoreFixtures.BLIND, CoreFixtures.CHARGE, CoreFixtures.POST);

  @Property(tries = 1_500)
  void oneEffectAtMostAndTheTruthIsTold(@ForAll long seed) {
    Random random = new Random(seed);
    String tool = TOOLS.get(random.nextInt(TOOLS.size()));
    LiveCall call = LiveCall.proposed(random.nextBoolean() ? CoreFixtures.ALLOW : HUMAN, tool);
    HonestWorld world = new HonestWorld(call, random);
    for (int i = 0; i < 60; i++) {
      disturb(call, world, random);
      atMostOne(call, world);
    }
    for (int i = 0; i < 30; i++) {
      settle(call, world);
      atMostOne(call, world);
    }
    toldTheTruth(call, world);
    boolean canTell = !tool.equals(CoreFixtures.BLIND) && !tool.equals(CoreFixtures.CHARGE);
    if (canTell) {
      assertThat(call.facts().concluded()).as("it comes to an end by itself").isTrue();
    }
  }

  private static void disturb(LiveCall call, HonestWorld world, Random random) {
    switch (random.nextInt(14)) {
      case 0, 1, 2 -> world.work(false);
      case 3, 4, 5 -> world.deliverOne();
      case 6 -> world.loseOne();
      case 7 -> world.pass(Duration.ofMillis(random.nextInt(3_000)));
      case 8 -> world.pass(Duration.ofSeconds(random.nextInt(20)));
      case 9 -> call.approve(ALICE);
      case 10 -> {
        if (random.nextInt(3) == 0) {
          world.crash();
        }
      }
      case 11 -> {
        if (random.nextInt(4) == 0) {
          call.cancel();
        }
      }
      case 12 -> {
        if (random.nextInt(3) == 0) {
          call.adopt(random.nextBoolean() ? HUMAN : demand("human & ci"));
          call.approve(CI);
        }
      }
      default -> call.tick();
    }
  }

  private static void settle(LiveCall call, HonestWorld world) {
    world.pass(Duration.ofSeconds(11));
    call.tick();
    if (call.facts().undecided()) {
      call.approve(ALICE);
      call.approve(CI);
    }
    world.work(true);
    world.deliverAll();
  }

  private static void atMostOne(LiveCall call, HonestWorld world) {
    assertThat(world.effects()).as("effects in %s", call.journal()).isLessThanOrEqualTo(1);
    HeldCallFacts facts = call.facts();
    if (facts.lifecycle() != Lifecycle.OPEN) {
      assertThat(world.effects()).as("refused and executed, %s", call.journal()).isZero();
      assertThat(world.quiet()).isTrue();
    }
    if (facts.outcome() != null) {
      assertThat(world.effects()).as("a result of nothing, %s", call.journal()).isEqualTo(1);
    }
  }

  private static void toldTheTruth(LiveCall call, HonestWorld world) {
    if (call.facts().execution() == Execution.OUTCOME_UNKNOWN && !call.facts().concluded()) {
      boolean truth = Boolean.TRUE.equals(world.truth());
      call.resolve(truth);
      assertThat(call.facts().outcome() != null).isEqualTo(truth);
      assertThat(call.facts().lifecycle() == Lifecycle.CANCELLED).isEqualTo(!truth);
    }
    atMostOne(call, world);
  }
}
