package dev.heldcall.kernel.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.session.SessionGraph.Accepted;
import dev.heldcall.kernel.session.SessionGraph.Cycle;
import dev.heldcall.kernel.session.SessionGraph.Full;
import dev.heldcall.kernel.session.SessionGraph.TooDeep;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/** The graph against one that is judged anew, by brute force, after every link. */
class SessionGraphPropertiesTest {

  private static final int CALLS = 24;

  record Link(int call, List<Integer> dependsOn, @Nullable Integer parent) {
    String id() {
      return name(call);
    }

    List<String> dependencies() {
      return dependsOn.stream().map(SessionGraphPropertiesTest::name).toList();
    }

    @Nullable String parentId() {
      return parent == null ? null : name(parent);
    }
  }

  static String name(int call) {
    return "c" + call;
  }

  @Provide
  Arbitrary<List<Link>> anyLinks() {
    Arbitrary<Integer> ids = Arbitraries.integers().between(0, 9);
    return Combinators.combine(ids, ids.list().ofMaxSize(3), ids.injectNull(0.6))
        .as(Link::new)
        .list()
        .ofMaxSize(40);
  }

  /** Mostly long chains: the next call waits for the one before it, or is its parent. */
  @Provide
  Arbitrary<List<Link>> chains() {
    Arbitrary<Integer> ids = Arbitraries.integers().between(1, CALLS - 1);
    Arbitrary<Integer> kinds = Arbitraries.integers().between(0, 9);
    return Combinators.combine(ids, kinds)
        .as(
            (call, kind) ->
                switch (kind) {
                  case 0 -> new Link(call - 1, List.of(), call);
                  case 1 -> new Link(call, List.of(), null);
                  case 2 -> new Link(call - 1, List.of(call), null);
                  default -> new Link(call, List.of(call - 1), null);
                })
        .list()
        .ofMinSize(20)
        .ofMaxSize(150);
  }

  @Property(tries = 500)
  void judgesAnyLinksAsBruteForceDoes(@ForAll("anyLinks") List<Link> links) {
    check(links);
  }

  @Property(tries = 300)
  void judgesLongChainsAsBruteForceDoes(@ForAll("chains") List<Link> links) {
    check(links);
  }

  private static void check(List<Link> links) {
    SessionGraph graph = SessionGraph.EMPTY;
    Map<String, Link> reference = new TreeMap<>();
    for (Link link : links) {
      Map<String, Link> candidate = new TreeMap<>(reference);
      candidate.put(link.id(), link);
      boolean[][] waits = edges(candidate);
      boolean cyclic = cyclic(waits);
      SessionGraph.Linking linking = graph.link(link.id(), link.dependencies(), link.parentId());
      Statistics.label("links").collect(linking.getClass().getSimpleName());
      switch (linking) {
        case Cycle(var path) -> {
          assertThat(cyclic).isTrue();
          assertIsWay(path, link.id(), waits);
        }
        case TooDeep(int levels) -> {
          assertThat(cyclic).isFalse();
          assertThat(levels).isEqualTo(longest(waits)).isGreaterThan(SessionGraph.MAX_LEVELS);
        }
        case Accepted(var next) -> {
          assertThat(cyclic).isFalse();
          assertThat(longest(waits)).isLessThanOrEqualTo(SessionGraph.MAX_LEVELS);
          assertSameEdges(next, waits);
          graph = next;
          reference = candidate;
        }
        case Full() -> throw new AssertionError("not so many calls");
      }
    }
  }

  private static void assertIsWay(List<String> path, String from, boolean[][] waits) {
    assertThat(path.getFirst()).isEqualTo(from);
    assertThat(path.getLast()).isEqualTo(from);
    for (int i = 1; i < path.size(); i++) {
      assertThat(waits[index(path.get(i - 1))][index(path.get(i))]).isTrue();
    }
  }

  private static void assertSameEdges(SessionGraph graph, boolean[][] waits) {
    for (int call = 0; call < CALLS; call++) {
      int from = call;
      List<String> expected =
          IntStream.range(0, CALLS)
              .filter(to -> waits[from][to])
              .mapToObj(SessionGraphPropertiesTest::name)
              .toList();
      List<String> expectedWaiters =
          IntStream.range(0, CALLS)
              .filter(other -> waits[other][from])
              .mapToObj(SessionGraphPropertiesTest::name)
              .toList();
      assertThat(graph.waitsFor(name(call))).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(graph.waiters(name(call))).containsExactlyInAnyOrderElementsOf(expectedWaiters);
    }
  }

  private static int index(String name) {
    return Integer.parseInt(name.substring(1));
  }

  private static boolean[][] edges(Map<String, Link> links) {
    boolean[][] waits = new boolean[CALLS][CALLS];
    for (Link link : links.values()) {
      link.dependsOn().forEach(dependency -> waits[link.call()][dependency] = true);
      if (link.parent() != null) {
        waits[link.parent()][link.call()] = true;
      }
    }
    return waits;
  }

  /** Warshall's closure. */
  private static boolean cyclic(boolean[][] waits) {
    boolean[][] reaches = new boolean[CALLS][];
    for (int i = 0; i < CALLS; i++) {
      reaches[i] = waits[i].clone();
    }
    for (int via = 0; via < CALLS; via++) {
      for (int from = 0; from < CALLS; from++) {
        for (int to = 0; to < CALLS; to++) {
          reaches[from][to] |= reaches[from][via] && reaches[via][to];
        }
      }
    }
    return IntStream.range(0, CALLS).anyMatch(i -> reaches[i][i]);
  }

  private static int longest(boolean[][] waits) {
    Map<Integer, Integer> levels = new HashMap<>();
    return IntStream.range(0, CALLS).map(i -> level(i, waits, levels)).max().orElse(0);
  }

  private static int level(int call, boolean[][] waits, Map<Integer, Integer> levels) {
    Integer known = levels.get(call);
    if (known != null) {
      return known;
    }
    int highest = 0;
    for (int to = 0; to < CALLS; to++) {
      if (waits[call][to]) {
        highest = Math.max(highest, level(to, waits, levels));
      }
    }
    levels.put(call, highest + 1);
    return highest + 1;
  }
}
