package dev.heldcall.kernel.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.session.SessionGraph.Accepted;
import dev.heldcall.kernel.session.SessionGraph.Cycle;
import dev.heldcall.kernel.session.SessionGraph.Full;
import dev.heldcall.kernel.session.SessionGraph.TooDeep;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SessionGraphTest {

  private static SessionGraph linked(
      SessionGraph graph, String heldId, List<String> dependsOn, @Nullable String parent) {
    return switch (graph.link(heldId, dependsOn, parent)) {
      case Accepted(var next) -> next;
      case Cycle _, TooDeep _, Full _ -> throw new AssertionError("refused " + heldId);
    };
  }

  /** {@code c1 ← c2 ← … ← cN}, which is N levels. */
  private static SessionGraph chain(int levels) {
    SessionGraph graph = SessionGraph.EMPTY;
    for (int level = 2; level <= levels; level++) {
      graph = linked(graph, "c" + level, List.of("c" + (level - 1)), null);
    }
    return graph;
  }

  @Nested
  class Edges {

    @Test
    void runFromTheDependentToTheDependencyAndFromTheParentToTheChild() {
      SessionGraph graph = linked(SessionGraph.EMPTY, "b", List.of("a", "x"), "p");

      assertThat(graph.waitsFor("b")).containsExactly("a", "x");
      assertThat(graph.waitsFor("p")).containsExactly("b");
      assertThat(graph.waiters("a")).containsExactly("b");
      assertThat(graph.waiters("b")).containsExactly("p");
      assertThat(graph.size()).isEqualTo(1);
    }

    @Test
    void areReplacedWhenTheCallIsLinkedAgain() {
      SessionGraph first = linked(SessionGraph.EMPTY, "b", List.of("a"), "p");
      SessionGraph again = linked(first, "b", List.of("x"), "q");

      assertThat(again).isEqualTo(linked(SessionGraph.EMPTY, "b", List.of("x"), "q"));
      assertThat(again.waiters("a")).isEmpty();
      assertThat(again.waitsFor("p")).isEmpty();
      assertThat(again.waitsFor("q")).containsExactly("b");
    }

    @Test
    void ofOthersStayWhenTheCallIsLinkedAgain() {
      SessionGraph graph = linked(SessionGraph.EMPTY, "b", List.of("a"), null);
      graph = linked(graph, "c", List.of(), "b");
      graph = linked(graph, "b", List.of("x"), null);

      assertThat(graph.waitsFor("b")).containsExactlyInAnyOrder("x", "c");
    }

    @Test
    void areGoneWhenTheCallIsLinkedAgainWithoutAny() {
      SessionGraph first = linked(SessionGraph.EMPTY, "b", List.of("a"), "p");

      assertThat(linked(first, "b", List.of(), null)).isEqualTo(SessionGraph.EMPTY);
    }

    @Test
    void countOnceHoweverOftenTheyAreNamed() {
      assertThat(linked(SessionGraph.EMPTY, "b", List.of("a", "a"), null))
          .isEqualTo(linked(SessionGraph.EMPTY, "b", List.of("a"), null));
    }

    @Test
    void thatAreThereAlreadyChangeNothing() {
      SessionGraph graph = linked(SessionGraph.EMPTY, "b", List.of("a", "x"), "p");

      assertThat(linked(graph, "b", List.of("x", "a"), "p")).isSameAs(graph);
      assertThat(linked(graph, "z", List.of(), null)).isSameAs(graph);
    }
  }

  @Nested
  class Cycles {

    @Test
    void ofACallWithItselfAreRefused() {
      assertThat(SessionGraph.EMPTY.link("a", List.of("a"), null))
          .isEqualTo(new Cycle(List.of("a", "a")));
      assertThat(SessionGraph.EMPTY.link("a", List.of(), "a"))
          .isEqualTo(new Cycle(List.of("a", "a")));
    }

    @Test
    void overDependenciesAreRefusedWithTheWay() {
      SessionGraph graph = chain(3);

      assertThat(graph.link("c1", List.of("c3"), null))
          .isEqualTo(new Cycle(List.of("c1", "c3", "c2", "c1")));
    }

    @Test
    void ofAChildThatDependsOnItsParentAreRefused() {
      assertThat(SessionGraph.EMPTY.link("child", List.of("parent"), "parent"))
          .isEqualTo(new Cycle(List.of("child", "parent", "child")));
    }

    @Test
    void ofAChildThatDependsOnWhoWaitsForItsParentAreRefused() {
      SessionGraph graph = linked(SessionGraph.EMPTY, "dependent", List.of("parent"), null);

      assertThat(graph.link("child", List.of("dependent"), "parent"))
          .isEqualTo(new Cycle(List.of("child", "dependent", "parent", "child")));
    }

    @Test
    void leaveTheGraphAsItWas() {
      SessionGraph graph = chain(3);
      graph.link("c1", List.of("c3"), null);

      assertThat(graph).isEqualTo(chain(3));
      assertThat(linked(graph, "c4", List.of("c3"), null)).isEqualTo(chain(4));
    }

    @Test
    void brokenByAnotherLinkAreNoneAnyMore() {
      SessionGraph graph = linked(chain(2), "c2", List.of(), null);

      assertThat(graph.link("c1", List.of("c2"), null)).isInstanceOf(Accepted.class);
    }
  }

  @Nested
  class Depth {

    @Test
    void ofSixteenLevelsIsAcceptedAndOfSeventeenIsNot() {
      SessionGraph sixteen = chain(16);

      assertThat(sixteen.link("c17", List.of("c16"), null)).isEqualTo(new TooDeep(17));
      assertThat(sixteen.link("other", List.of("c15"), null)).isInstanceOf(Accepted.class);
    }

    @Test
    void growsForEverybodyWhoWaitsForTheParent() {
      SessionGraph sixteen = chain(16);

      assertThat(sixteen.link("child", List.of(), "c1")).isEqualTo(new TooDeep(17));
      assertThat(sixteen.link("child", List.of(), "c2")).isInstanceOf(Accepted.class);
    }

    @Test
    void isThatOfTheLongestWayThroughTheCall() {
      SessionGraph graph = chain(10);
      for (int level = 2; level <= 7; level++) {
        graph = linked(graph, "d" + level, List.of("d" + (level - 1)), null);
      }

      assertThat(graph.link("c1", List.of("d7"), null)).isEqualTo(new TooDeep(17));
      assertThat(graph.link("c1", List.of("d6"), null)).isInstanceOf(Accepted.class);
    }

    @Test
    void isMeasuredWithoutTheEdgesThatAreReplaced() {
      SessionGraph graph = linked(chain(16), "c16", List.of(), null);

      assertThat(graph.link("c17", List.of("c16"), null)).isInstanceOf(Accepted.class);
    }
  }

  @Test
  void aSessionTakesTenThousandCallsAndNoMore() {
    SessionGraph graph = SessionGraph.EMPTY;
    for (int i = 0; i < SessionGraph.MAX_CALLS; i++) {
      graph = graph.with("c" + i, List.of("root"), null);
    }

    assertThat(graph.link("one-more", List.of("root"), null)).isEqualTo(new Full());
    assertThat(graph.link("c1", List.of("another"), null)).isInstanceOf(Accepted.class);
    assertThat(graph.link("without", List.of(), null)).isInstanceOf(Accepted.class);
  }
}
