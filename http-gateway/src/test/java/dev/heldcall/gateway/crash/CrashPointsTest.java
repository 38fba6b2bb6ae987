package dev.heldcall.gateway.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nothing that matters in a crash is without its points, and the table is the code's. */
class CrashPointsTest {

  private static final String REMEDY =
      "run './heldcall bench crash --table' and let a strand of the story reach the new points"
          + " (Strands); './heldcall bench crash --only NAME' crashes there";

  private static final Scan SCAN = Scan.of(ProductClasses.onThisClassPath());

  private static Set<String> points() {
    return SCAN.sites().stream()
        .flatMap(site -> site.points().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void everyPointHasItsRowAndEveryRowItsPoint() throws IOException {
    Set<String> expected = points();
    for (Site site : SCAN.sites()) {
      if (Unreachable.sites().containsKey(site.id())) {
        site.points().forEach(expected::remove);
      }
    }
    assertThat(CrashTable.read(CrashBench.page()).points()).as(REMEDY).isEqualTo(expected);
  }

  @Test
  void whatIsNotReachedIsInTheCodeAndOnThePage() throws IOException {
    assertThat(SCAN.sites())
        .extracting(Site::id)
        .containsAll(Unreachable.sites().keySet())
        .containsAll(Unreachable.byChance().keySet());
    String page = java.nio.file.Files.readString(CrashBench.page());
    Map<String, String> all = new HashMap<>(Unreachable.sites());
    all.putAll(Unreachable.byChance());
    all.forEach((site, why) -> assertThat(page).as(REMEDY).contains(site + ": " + why));
  }

  @Test
  void nothingIsWrittenStartedOrSaidInAWayThatNoPatternKnows() {
    HarmlessCalls harmless = HarmlessCalls.load();
    assertThat(harmless.unknown(SCAN.others()))
        .as("a pattern of SitePatterns, or a line of crash/harmless-calls.txt that says why not")
        .isEmpty();
    assertThat(harmless.dead(SCAN.others())).as("lines that nothing calls").isEmpty();
  }

  @Test
  void noMethodReferenceHidesASite() {
    assertThat(SCAN.references()).as("write a lambda, which can be woven").isEmpty();
  }

  @Test
  void everyPatternIsMet() {
    assertThat(SCAN.sites())
        .extracting(Site::pattern)
        .containsAll(SitePatterns.METHODS)
        .containsAll(SitePatterns.CALLS.stream().filter(each -> !RARE.contains(each)).toList());
  }

  /** Patterns for what the product could do and does not. */
  private static final List<SitePattern> RARE =
      SitePatterns.CALLS.stream().filter(each -> each.names().contains("spawnAnonymous")).toList();

  @Test
  void everyPointIsInTheWovenCopy(@TempDir Path folder) {
    assertThat(WovenProduct.in(folder).woven()).isEqualTo(points());
  }

  @Test
  void whatIsAddedWithoutAThoughtIsSeen() {
    Scan scan = Scan.of(ProductClasses.of(Careless.class));
    assertThat(scan.sites())
        .extracting(Site::id)
        .containsExactly(
            "Careless.commandHandler/persist",
            "Careless.commandHandler/tell",
            "Careless.commandHandler/thenRun",
            "Careless.eventHandler",
            "Careless.starts/spawnAnonymous",
            "Careless.writes/executeUpdate");
    assertThat(scan.references())
        .containsExactly("Careless.says refers to org.apache.pekko.actor.typed.ActorRef::tell");
    assertThat(HarmlessCalls.load().unknown(scan.others()))
        .contains(
            "java.sql.Connection.setClientInfo in Careless.writesElsewhere",
            "java.sql.Connection.nativeSQL in Careless.writesElsewhere");
  }
}
