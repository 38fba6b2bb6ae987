package dev.heldcall.gateway.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process of the product dies at a sample of its points, and comes back. The sample has every
 * kind of point and both databases, and what is reached only after a crash at a certain place; all
 * of them are for {@code ./heldcall bench crash}.
 */
class CrashTest {

  private static final Map<Engine, List<Wish>> SAMPLE =
      Map.of(
          Engine.H2,
          List.of(
              new Wish(Phase.STORY, Kind.PERSIST, "SessionEntity.link/thenReply:durable"),
              new Wish(Phase.STORY, Kind.EFFECT, "exchanged:left"),
              new Wish(Phase.STORY, Kind.CHILD, "spawn:after"),
              new Wish(Phase.RESTART, Kind.RECOVERY, "onRecovered:entered")),
          Engine.POSTGRESQL,
          List.of(
              new Wish(Phase.STORY, Kind.EFFECT, "KernelToolPort.dispatch/change:after"),
              new Wish(
                  Phase.STORY, Kind.PERSIST, "JournalTable.Postgresql.write/executeUpdate:after"),
              new Wish(Phase.STORY, Kind.PROJECTION, "ReadSideTables.write:left"),
              new Wish(Phase.STORY, Kind.ANSWER, "HttpAnswers.of:entered")));

  /** A crash of a kind, at the first of the points that have the text. */
  private record Wish(Phase phase, Kind kind, String text) {

    CrashCase in(List<CrashCase> all) {
      return all.stream()
          .filter(each -> each.kind() == kind && each.form().contains(text))
          .filter(each -> each.phase() == phase || phase == Phase.RESTART)
          .findFirst()
          .map(each -> new CrashCase(phase, kind, each.point(), each.form(), each.times()))
          .orElseThrow(() -> new AssertionError("nothing that was reached fits " + this));
    }
  }

  private static final Map<Engine, List<String>> UNDISTURBED = new LinkedHashMap<>();
  private static final Map<Engine, List<Outcome>> OUTCOMES = new LinkedHashMap<>();
  private static final Reached REACHED = new Reached();
  private static List<String> lost = List.of();

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static WovenProduct product;

  @BeforeAll
  static void crashes() throws InterruptedException {
    product = WovenProduct.in(folder);
    Path archive = folder.resolve("archive.aot");
    List<String> jvm = List.of("-XX:AOTCache=" + archive);
    begin(Engine.H2, List.of("-XX:AOTCacheOutput=" + archive));
    begin(Engine.POSTGRESQL, jvm);
    for (Engine engine : Engine.values()) {
      try (CrashRun run = new CrashRun(engine, product, jvm)) {
        List<CrashCase> all = CrashCase.all(product.scan(), REACHED);
        List<Outcome> outcomes = new ArrayList<>();
        for (Wish wish : SAMPLE.getOrDefault(engine, List.of())) {
          outcomes.add(run.crash(wish.in(all)));
        }
        OUTCOMES.put(engine, outcomes);
        if (engine == Engine.POSTGRESQL) {
          lost = run.losing(Ledger.What.ACKNOWLEDGED);
        }
        REACHED.add(run.reached());
      }
    }
  }

  private static void begin(Engine engine, List<String> jvm) throws InterruptedException {
    try (CrashRun run = new CrashRun(engine, product, jvm)) {
      UNDISTURBED.put(engine, run.undisturbed(true));
      REACHED.add(run.reached());
    }
  }

  @Test
  void anUndisturbedStoryIsAsItMustBe() {
    assertThat(UNDISTURBED).containsOnlyKeys(Engine.values());
    assertThat(UNDISTURBED.values()).allSatisfy(wrong -> assertThat(wrong).isEmpty());
  }

  @Test
  void afterACrashEverythingAcknowledgedIsThereAndNothingHappensTwice() {
    assertThat(OUTCOMES).containsOnlyKeys(Engine.values());
    OUTCOMES.forEach(
        (engine, outcomes) ->
            assertThat(outcomes)
                .as(engine.name())
                .isNotEmpty()
                .allSatisfy(outcome -> assertThat(outcome.wrong()).isEmpty())
                .allSatisfy(outcome -> assertThat(outcome.reached()).isTrue()));
  }

  /** Checks that find nothing prove nothing. */
  @Test
  void anEventThatWasAcknowledgedAndIsGoneIsFound() {
    assertThat(lost).anySatisfy(each -> assertThat(each).contains("was lost"));
    assertThat(lost).anySatisfy(each -> assertThat(each).contains("another history than before"));
  }

  @Test
  void everyPointIsReachedButThoseThatCannotBe() {
    Set<String> must = new TreeSet<>();
    Set<String> mustNot = new TreeSet<>();
    for (Site site : product.scan().sites()) {
      if (Unreachable.sites().containsKey(site.id())) {
        mustNot.addAll(site.points());
      } else if (!Unreachable.byChance().containsKey(site.id())) {
        must.addAll(site.points());
      }
    }
    must.removeAll(REACHED.points());
    mustNot.retainAll(REACHED.points());
    assertThat(must)
        .as("a strand of the story (Strands) has to reach it, or Unreachable says why none can")
        .isEmpty();
    assertThat(mustNot).as("reached after all: no longer to be in Unreachable").isEmpty();
  }
}
