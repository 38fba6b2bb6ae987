package dev.heldcall.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BodyBudgetTest {

  @Test
  void bodies_are_taken_until_the_bound_and_again_when_others_are_done() {
    BodyBudget budget = new BodyBudget(100);

    assertThat(budget.take(60)).isTrue();
    assertThat(budget.take(41)).isFalse();
    assertThat(budget.take(40)).isTrue();
    assertThat(budget.take(1)).isFalse();
    budget.giveBack(60);
    assertThat(budget.take(60)).isTrue();
  }

  @Test
  void the_greatest_body_always_has_room_in_an_idle_node() {
    long greatest = Runtime.getRuntime().maxMemory();

    assertThat(BodyBudget.ofHeap(greatest).take(greatest)).isTrue();
  }
}
