package dev.heldcall.kernel.readside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.readside.WitnessClaims.Claimer;
import dev.heldcall.kernel.readside.WitnessClaims.Taken;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Database;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import dev.heldcall.plugin.api.PrincipalRef;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class WitnessClaimsTest {

  private static final PrincipalRef AGENT = new PrincipalRef("acme", "default", "agent-1");
  private static final PrincipalRef ALICE = new PrincipalRef("acme", "default", "alice");
  private static final PrincipalRef BOB = new PrincipalRef("acme", "default", "bob");
  private static final long NOW = 1_000_000;
  private static final long UNTIL = NOW + 1_000;

  @TempDir Path folder;

  private final AtomicInteger ids = new AtomicInteger();

  @ParameterizedTest
  @EnumSource
  void twoClaimersNeverHaveTheSameRequest(Engine engine) throws Exception {
    int calls = 120;
    Database database = engine.fresh(folder);
    try (Store store = database.open();
        Store node = engine == Engine.POSTGRESQL ? database.open() : store;
        var threads = Executors.newFixedThreadPool(12)) {
      waiting(store, calls);
      List<Callable<List<String>>> claimers = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        WitnessClaims claims = new WitnessClaims(i % 2 == 0 ? store : node);
        Claimer claimer = human(new PrincipalRef("acme", "default", "witness-" + i));
        claimers.add(() -> all(claims, claimer));
      }
      List<String> seen = new ArrayList<>();
      for (Future<List<String>> each : threads.invokeAll(claimers)) {
        seen.addAll(each.get());
      }
      assertThat(seen).hasSize(calls).doesNotHaveDuplicates();
    }
  }

  /** Takes until nothing is left, a few at a time. */
  private List<String> all(WitnessClaims claims, Claimer claimer) throws SQLException {
    List<String> mine = new ArrayList<>();
    while (true) {
      WitnessClaims.Catch caught = claims.take(claimer, 7, NOW, UNTIL, this::id);
      caught.taken().forEach(each -> mine.add(each.heldId()));
      if (caught.found() == 0) {
        return mine;
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofManyWhoReachForAnExpiredClaimOneGetsIt(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open();
        var threads = Executors.newFixedThreadPool(8)) {
      waiting(store, 1);
      WitnessClaims claims = new WitnessClaims(store);
      for (int round = 0; round < 10; round++) {
        long now = NOW + round * 10_000L;
        List<Callable<Integer>> reach = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          Claimer claimer = human(new PrincipalRef("acme", "default", "witness-" + i));
          reach.add(() -> claims.take(claimer, 5, now, now + 10_000, this::id).taken().size());
        }
        int got = 0;
        for (Future<Integer> each : threads.invokeAll(reach)) {
          got += each.get();
        }
        assertThat(got).as("round " + round).isEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theOldestAreHandedOutFirstAndTheClaimersOwnNever(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      PrincipalRef stranger = new PrincipalRef("evil", "default", "agent-1");
      PrincipalRef elsewhere = new PrincipalRef("acme", "other", "alice");
      write(store, row("hc_new", AGENT, CallState.WAITING, 30, Set.of("human"), 1));
      write(store, row("hc_old", AGENT, CallState.WAITING, 10, Set.of("ci", "human"), 1));
      write(store, row("hc_ready", AGENT, CallState.READY, 1, Set.of("human"), 1));
      write(store, row("hc_ci", AGENT, CallState.WAITING, 2, Set.of("ci"), 1));
      write(store, row("hc_like", AGENT, CallState.WAITING, 3, Set.of("superhuman"), 1));
      write(store, row("hc_evil", stranger, CallState.WAITING, 4, Set.of("human"), 1));
      write(store, row("hc_own", ALICE, CallState.WAITING, 5, Set.of("human"), 1));
      write(store, row("hc_else", elsewhere, CallState.WAITING, 20, Set.of("human"), 1));
      WitnessClaims claims = new WitnessClaims(store);
      assertThat(taken(claims, human(ALICE), NOW)).containsExactly("hc_old", "hc_else", "hc_new");
      assertThat(taken(claims, human(BOB), NOW)).containsExactly("hc_own");
      assertThat(taken(claims, new Claimer(BOB, null, "ci"), NOW))
          .containsExactly("hc_ci", "hc_old");
      assertThat(claims.live(ALICE, NOW)).isEqualTo(3);
      assertThat(claims.live(ALICE, UNTIL)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDelegateIsNotHandedItsPrincipalsCalls(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      waiting(store, 1);
      WitnessClaims claims = new WitnessClaims(store);
      assertThat(taken(claims, new Claimer(ALICE, "agent-1", "human"), NOW)).isEmpty();
      assertThat(taken(claims, new Claimer(ALICE, "agent-2", "human"), NOW)).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClaimThatDiesComesBackAndAnotherGenerationIsAnotherRequest(Engine engine)
      throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      waiting(store, 1);
      WitnessClaims claims = new WitnessClaims(store);
      assertThat(taken(claims, human(ALICE), NOW)).containsExactly("hc_000");
      assertThat(taken(claims, human(BOB), UNTIL - 1)).isEmpty();
      assertThat(taken(claims, human(ALICE), UNTIL - 1)).isEmpty();
      assertThat(taken(claims, human(BOB), UNTIL)).containsExactly("hc_000");
      write(store, row("hc_000", AGENT, CallState.WAITING, 1, Set.of("human"), 2));
      assertThat(taken(claims, human(ALICE), NOW)).containsExactly("hc_000");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsReleasedIsAnybodysAtOnceAndSoIsAgain(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      waiting(store, 1);
      WitnessClaims claims = new WitnessClaims(store);
      String claimId = take(claims, human(ALICE), NOW).getFirst().claimId();
      assertThat(claims.holder(claimId)).contains(new WitnessClaims.Holder(ALICE));
      claims.release(claimId);
      List<Taken> next = take(claims, human(BOB), NOW);
      assertThat(next).extracting(Taken::heldId).containsExactly("hc_000");
      claims.release(claimId);
      assertThat(taken(claims, human(ALICE), NOW)).isEmpty();
      assertThat(claims.holder(claimId)).contains(new WitnessClaims.Holder(ALICE));
      assertThat(claims.holder("wc_none")).isEmpty();
      assertThat(claims.live(ALICE, NOW)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoAttestedHasNoClaimAnyMoreAndOthersAreHandedTheRequest(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      waiting(store, 2);
      WitnessClaims claims = new WitnessClaims(store);
      assertThat(taken(claims, human(ALICE), NOW)).containsExactly("hc_000", "hc_001");
      claims.attested(BOB, "hc_000", 1);
      claims.attested(ALICE, "hc_000", 2);
      assertThat(claims.live(ALICE, NOW)).isEqualTo(2);
      claims.attested(ALICE, "hc_000", 1);
      assertThat(claims.live(ALICE, NOW)).isEqualTo(1);
      assertThat(taken(claims, human(BOB), NOW)).containsExactly("hc_000");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsHiddenFromOneIsOthersAndComesBackInTimeOrAfterARevocation(Engine engine)
      throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      waiting(store, 1);
      WitnessClaims claims = new WitnessClaims(store);
      claims.end(take(claims, human(ALICE), NOW).getFirst().claimId(), NOW + 50_000);
      assertThat(taken(claims, human(ALICE), NOW + 49_999)).isEmpty();
      List<Taken> others = take(claims, human(BOB), NOW + 2_000);
      assertThat(others).hasSize(1);
      claims.release(others.getFirst().claimId());
      assertThat(taken(claims, human(ALICE), NOW + 50_000)).containsExactly("hc_000");
      claims.end(take(claims, human(ALICE), NOW + 60_000).getFirst().claimId(), NOW + 90_000);
      claims.revoked("hc_000");
      assertThat(taken(claims, human(ALICE), NOW + 70_000)).containsExactly("hc_000");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatNobodyCanAskForAnyMoreIsForgotten(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      waiting(store, 3);
      WitnessClaims claims = new WitnessClaims(store);
      List<Taken> taken = take(claims, human(ALICE), NOW);
      claims.end(taken.getFirst().claimId(), UNTIL + 2 * WitnessClaims.KEEP_MILLIS);
      claims.tidy(UNTIL + WitnessClaims.KEEP_MILLIS - 1);
      assertThat(rows(store)).isEqualTo(3);
      claims.tidy(UNTIL + WitnessClaims.KEEP_MILLIS);
      assertThat(rows(store)).isEqualTo(1);
      claims.tidy(UNTIL + 2 * WitnessClaims.KEEP_MILLIS);
      assertThat(rows(store)).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyTidyAndClaimAtOnce(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open();
        var threads = Executors.newFixedThreadPool(8)) {
      waiting(store, 40);
      WitnessClaims claims = new WitnessClaims(store);
      for (int i = 0; i < 5; i++) {
        var _ = taken(claims, human(ALICE), NOW + i * 1_000L);
      }
      long later = NOW + 5 * WitnessClaims.KEEP_MILLIS;
      List<Callable<List<String>>> work = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Claimer claimer = human(new PrincipalRef("acme", "default", "witness-" + i));
        work.add(
            () -> {
              claims.tidy(later);
              return taken(claims, claimer, later);
            });
      }
      Set<String> seen = new HashSet<>();
      for (Future<List<String>> each : threads.invokeAll(work)) {
        for (String heldId : each.get()) {
          assertThat(seen.add(heldId)).as(heldId).isTrue();
        }
      }
    }
  }

  private String id() {
    return "wc_" + ids.incrementAndGet();
  }

  private static Claimer human(PrincipalRef self) {
    return new Claimer(self, null, "human");
  }

  private List<Taken> take(WitnessClaims claims, Claimer claimer, long now) throws SQLException {
    return claims.take(claimer, 50, now, now + 1_000, this::id).taken();
  }

  private List<String> taken(WitnessClaims claims, Claimer claimer, long now) throws SQLException {
    return take(claims, claimer, now).stream().map(Taken::heldId).toList();
  }

  private static void waiting(Store store, int calls) throws SQLException {
    for (int i = 0; i < calls; i++) {
      String heldId = "hc_%03d".formatted(i);
      write(store, row(heldId, AGENT, CallState.WAITING, i, Set.of("human"), 1));
    }
  }

  private static void write(Store store, CallRow row) throws SQLException {
    store.inTransaction(
        connection -> {
          new CallIndex(store).upsert(connection, row);
          return true;
        });
  }

  private static CallRow row(
      String heldId,
      PrincipalRef proposer,
      CallState state,
      long createdAt,
      Set<String> classes,
      int generation) {
    return new CallRow(
        heldId,
        proposer,
        "s",
        "t",
        "c",
        "key",
        "act",
        state,
        "HELD",
        null,
        createdAt,
        null,
        classes,
        generation,
        generation,
        "{}",
        state == CallState.ENDED);
  }

  private static long rows(Store store) throws SQLException {
    try (Connection connection = store.connection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM witness_claim")) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
