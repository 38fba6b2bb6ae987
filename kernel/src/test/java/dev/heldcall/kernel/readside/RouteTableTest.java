package dev.heldcall.kernel.readside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.route.RouteKey;
import dev.heldcall.kernel.route.RouteRecord;
import dev.heldcall.kernel.route.RouteState;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import dev.heldcall.plugin.api.Digest;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
@Timeout(60)
class RouteTableTest {

  private static final Digest CONTRACT = CoreFixtures.PLUGINS;
  private static final Instant NOW = Instant.ofEpochMilli(1_000_000);
  private static final long MILLIS = NOW.toEpochMilli();

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init") // by JUnit
  private static Store store;

  @Parameter Engine engine = Engine.H2;
  private final RouteTable table = new RouteTable(store);

  @BeforeParameterizedClassInvocation
  static void open(Engine engine) {
    store = engine.fresh(folder).open();
  }

  @AfterParameterizedClassInvocation
  static void close() {
    store.close();
  }

  @BeforeEach
  void empty() throws SQLException {
    try (Connection connection = store.connection();
        var statement = connection.createStatement()) {
      statement.executeUpdate("DELETE FROM witness_route");
    }
  }

  private static RouteRecord wanted(String heldId, int generation, String provider) {
    return RouteRecord.wanted(
        new RouteKey(heldId, generation, provider), "acme", "transfer", CONTRACT, NOW);
  }

  /** A route of the first generation in the state, under a reference or none. */
  private RouteRecord there(
      String heldId, String provider, RouteState state, @Nullable String reference)
      throws SQLException {
    RouteRecord opened = table.open(wanted(heldId, 1, provider));
    return table.save(as(opened, state, reference, NOW.plusSeconds(60)), MILLIS).orElseThrow();
  }

  private static RouteRecord as(
      RouteRecord of, RouteState state, @Nullable String reference, @Nullable Instant nextAt) {
    return new RouteRecord(
        of.key(),
        of.org(),
        of.tool(),
        of.contractDigest(),
        state,
        of.round(),
        3,
        reference,
        NOW,
        nextAt,
        1,
        "note",
        of.updatedAt(),
        of.version());
  }

  private RouteRecord find(String heldId, String provider) throws SQLException {
    return table.of(heldId).stream()
        .filter(each -> each.key().provider().equals(provider))
        .findFirst()
        .orElseThrow();
  }

  private List<String> due(long nowMillis) throws SQLException {
    return table.takeDue(nowMillis, 15_000, 100).stream()
        .map(each -> each.key().heldId() + "/" + each.key().provider())
        .toList();
  }

  private void align(String heldId, Collection<RouteRecord> wanted, long nowMillis)
      throws SQLException {
    var _ =
        store.inTransaction(
            connection -> {
              table.align(connection, heldId, wanted, "the call is cancelled", nowMillis);
              return true;
            });
  }

  @Test
  void openingTwiceIsOpeningOnce() throws SQLException {
    RouteRecord first = table.open(wanted("hc_1", 1, "ci"));
    assertThat(first).isEqualTo(wanted("hc_1", 1, "ci"));
    RouteRecord saved =
        table.save(as(first, RouteState.REQUESTED, "ref", null), MILLIS + 5).orElseThrow();
    assertThat(table.open(wanted("hc_1", 1, "ci"))).isEqualTo(saved);
    assertThat(saved.version()).isEqualTo(1);
    assertThat(saved.updatedAt()).isEqualTo(NOW.plusMillis(5));
    assertThat(saved)
        .extracting(
            RouteRecord::state,
            RouteRecord::reference,
            RouteRecord::attempts,
            RouteRecord::reminded,
            RouteRecord::askedAt,
            RouteRecord::nextAt,
            RouteRecord::note)
        .containsExactly(RouteState.REQUESTED, "ref", 3, 1, NOW, null, "note");
  }

  @Test
  void whoReadAnOlderVersionWritesNothing() throws SQLException {
    RouteRecord first = table.open(wanted("hc_1", 1, "ci"));
    assertThat(table.save(as(first, RouteState.ASKING, null, null), MILLIS)).isPresent();
    assertThat(table.save(as(first, RouteState.DEFERRED, "x", null), MILLIS)).isEmpty();
    assertThat(find("hc_1", "ci").state()).isEqualTo(RouteState.ASKING);
  }

  @Test
  void ofTwoWhoWriteAtOnceOneDoes() throws Exception {
    RouteRecord opened = table.open(wanted("hc_1", 1, "ci"));
    List<Callable<Boolean>> writers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      writers.add(() -> table.save(as(opened, RouteState.ASKING, null, null), MILLIS).isPresent());
    }
    assertThat(atOnce(writers)).containsOnlyOnce(true);
  }

  private static <T> List<T> atOnce(List<Callable<T>> tasks) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<T> results = new ArrayList<>();
      for (Future<T> each : threads.invokeAll(tasks)) {
        results.add(each.get());
      }
      return results;
    }
  }

  @Test
  void theDueAreTakenOnceAndComeAgainLaterAsTheyWere() throws SQLException {
    RouteRecord opened = table.open(wanted("hc_1", 1, "ci"));
    RouteRecord look =
        table.save(as(opened, RouteState.REQUESTED, "r", NOW.plusSeconds(9)), MILLIS).orElseThrow();
    assertThat(due(MILLIS + 8_999)).isEmpty();
    assertThat(due(MILLIS + 9_000)).containsExactly("hc_1/ci");
    assertThat(due(MILLIS + 23_999)).isEmpty();
    assertThat(find("hc_1", "ci")).isEqualTo(look);
    assertThat(due(MILLIS + 24_000)).containsExactly("hc_1/ci");
  }

  @Test
  void whoIsDueInVainComesMoreAndMoreSeldom() throws SQLException {
    table.open(wanted("hc_1", 1, "dear"));
    long day = Duration.ofDays(1).toMillis();
    int wakes = 0;
    for (long at = MILLIS; at < MILLIS + day; at += 15_000) {
      wakes += due(at).size();
    }
    assertThat(wakes).isBetween(8, 20);
  }

  @Test
  void whatIsWrittenIsDueWhenItSays() throws SQLException {
    RouteRecord opened = table.open(wanted("hc_1", 1, "ci"));
    assertThat(due(MILLIS)).hasSize(1);
    assertThat(table.save(as(opened, RouteState.UNAVAILABLE, null, NOW.plusSeconds(2)), MILLIS))
        .isPresent();
    assertThat(due(MILLIS + 2_000)).hasSize(1);
    RouteRecord known = find("hc_1", "ci");
    assertThat(table.save(as(known, RouteState.DEFERRED, null, null), MILLIS)).isPresent();
    assertThat(due(Long.MAX_VALUE / 2)).isEmpty();
  }

  @Test
  void twoTakersGetEachOnce() throws Exception {
    for (int i = 0; i < 60; i++) {
      table.open(wanted("hc_" + i, 1, "ci"));
    }
    List<Callable<List<RouteRecord>>> takers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      takers.add(() -> table.takeDue(MILLIS, 15_000, 20));
    }
    List<RouteKey> taken = new ArrayList<>();
    for (List<RouteRecord> each : atOnce(takers)) {
      each.forEach(route -> taken.add(route.key()));
    }
    // who finds rows locked passes them over, so that some may be left for the next sweep
    table.takeDue(MILLIS, 15_000, 60).forEach(route -> taken.add(route.key()));
    assertThat(taken).hasSize(60).doesNotHaveDuplicates();
  }

  @Test
  void whoComesToNothingWakesTheDearer() throws SQLException {
    RouteRecord cheap = table.open(wanted("hc_1", 1, "cheap"));
    table.open(wanted("hc_1", 1, "dear"));
    table.open(wanted("hc_1", 2, "other-generation"));
    table.open(wanted("hc_2", 1, "other-call"));
    assertThat(due(MILLIS)).hasSize(4);
    RouteRecord asking =
        table.save(as(cheap, RouteState.ASKING, null, null), MILLIS + 1).orElseThrow();
    assertThat(due(MILLIS + 1)).isEmpty();
    assertThat(table.save(as(asking, RouteState.DEFERRED, null, null), MILLIS + 2)).isPresent();
    assertThat(due(MILLIS + 2)).containsExactly("hc_1/dear");
  }

  @Test
  void aPokeIsDueAtOnceAndNobodyWritesOverIt() throws SQLException {
    RouteRecord out = there("hc_1", "ci", RouteState.REQUESTED, "sha-1");
    there("hc_2", "ci", RouteState.UNAVAILABLE, "sha-1");
    there("hc_3", "ci", RouteState.ANSWERED, "sha-1");
    there("hc_4", "other", RouteState.REQUESTED, "sha-1");
    there("hc_5", "ci", RouteState.REQUESTED, "sha-2");
    assertThat(table.poke("ci", "sha-1", MILLIS + 1)).isEqualTo(2);
    assertThat(due(MILLIS + 1)).containsExactlyInAnyOrder("hc_1/ci", "hc_2/ci");
    assertThat(find("hc_1", "ci").nextAt()).isEqualTo(NOW.plusMillis(1));
    assertThat(table.save(as(out, RouteState.REQUESTED, "sha-1", NOW.plusSeconds(99)), MILLIS))
        .isEmpty();
  }

  @Test
  void alignmentMakesWhatIsWantedAndKnowsItAgain() throws SQLException {
    align("hc_1", List.of(wanted("hc_1", 1, "ci"), wanted("hc_1", 1, "peer")), MILLIS);
    RouteRecord ci = find("hc_1", "ci");
    assertThat(ci).isEqualTo(wanted("hc_1", 1, "ci"));
    RouteRecord out = table.save(as(ci, RouteState.REQUESTED, "r", null), MILLIS).orElseThrow();
    align("hc_1", List.of(wanted("hc_1", 1, "ci"), wanted("hc_1", 1, "peer")), MILLIS + 9);
    assertThat(find("hc_1", "ci")).isEqualTo(out);
  }

  @ParameterizedTest
  @EnumSource
  void alignmentTakesBackWhatIsOpenAndKeepsWhatIsOver(RouteState state) throws SQLException {
    RouteRecord silent = there("hc_1", "silent", state, null);
    RouteRecord out = there("hc_1", "out", state, "ref");
    align("hc_1", List.of(), MILLIS + 9);
    RouteState withoutReference =
        switch (state) {
          case WANTED, ASKING, REQUESTED, NESTED, UNAVAILABLE -> RouteState.WITHDRAWN;
          default -> state;
        };
    RouteState withReference =
        switch (state) {
          case WANTED, ASKING, REQUESTED, UNAVAILABLE -> RouteState.UNWANTED;
          case NESTED -> RouteState.WITHDRAWN;
          default -> state;
        };
    assertThat(find("hc_1", "silent").state()).isEqualTo(withoutReference);
    RouteRecord told = find("hc_1", "out");
    assertThat(told.state()).isEqualTo(withReference);
    if (withReference == state) {
      assertThat(told).isEqualTo(out);
    } else {
      assertThat(told.version()).isEqualTo(out.version() + 1);
      assertThat(told.note()).isEqualTo("the call is cancelled");
      assertThat(told.attempts()).isZero();
      assertThat(due(MILLIS + 9))
          .isEqualTo(withReference == RouteState.UNWANTED ? List.of("hc_1/out") : List.of());
    }
    assertThat(table.save(silent, MILLIS).isPresent()).isEqualTo(withoutReference == state);
  }

  @Test
  void alignmentOfANewGenerationTakesBackTheOldOne() throws SQLException {
    there("hc_1", "ci", RouteState.REQUESTED, "old");
    there("hc_2", "ci", RouteState.REQUESTED, "another call's");
    align("hc_1", List.of(wanted("hc_1", 2, "ci")), MILLIS);
    assertThat(table.of("hc_1"))
        .extracting(each -> each.key().generation(), RouteRecord::state)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(2, RouteState.WANTED),
            org.assertj.core.groups.Tuple.tuple(1, RouteState.UNWANTED));
    assertThat(find("hc_2", "ci").state()).isEqualTo(RouteState.REQUESTED);
  }

  @Test
  void whatWasTakenBackAndIsWantedAfterAllIsANewRound() throws SQLException {
    there("hc_1", "ci", RouteState.REQUESTED, null);
    align("hc_1", List.of(), MILLIS);
    RouteRecord back = find("hc_1", "ci");
    assertThat(back.state()).isEqualTo(RouteState.WITHDRAWN);
    align("hc_1", List.of(wanted("hc_1", 1, "ci")), MILLIS + 5);
    RouteRecord again = find("hc_1", "ci");
    assertThat(again.state()).isEqualTo(RouteState.WANTED);
    assertThat(again.requestId()).isEqualTo("hc_1.1.ci.r2");
    assertThat(again)
        .extracting(
            RouteRecord::attempts, RouteRecord::reference, RouteRecord::askedAt, RouteRecord::note)
        .containsExactly(0, null, null, null);
    assertThat(due(MILLIS + 5)).containsExactly("hc_1/ci");
    assertThat(table.save(back, MILLIS)).isEmpty();
  }

  @Test
  void keepsWhatComesFromOutsideHoweverItIsSpelt() throws SQLException {
    RouteRecord opened = table.open(wanted("hc_1", 1, "ci"));
    String wild = "a\u0000b\uD83D" + "é\uD83D\uDE00".repeat(400);
    RouteRecord kept =
        new RouteRecord(
            opened.key(),
            "acme",
            "transfer",
            CONTRACT,
            RouteState.UNAVAILABLE,
            1,
            1,
            "é".repeat(512),
            null,
            null,
            0,
            wild,
            NOW,
            0);
    assertThat(kept.note()).startsWith("a?b?é").endsWith("…").hasSizeLessThanOrEqualTo(501);
    assertThat(table.save(kept, MILLIS).orElseThrow().note()).isEqualTo(kept.note());
  }
}
