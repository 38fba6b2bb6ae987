package dev.heldcall.kernel.readside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.readside.Edges.Edge;
import dev.heldcall.kernel.readside.IssuerKeys.IssuerKey;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import dev.heldcall.plugin.api.PrincipalRef;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Edges, idempotency keys, the issuer's keys, the journal's plain reads and the clock. */
@Timeout(60)
class SmallTablesTest {

  private static final PrincipalRef AGENT = new PrincipalRef("acme", "default", "agent-1");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void edgesAreKeptOnceAndReadBothWays(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      Edges edges = new Edges(store);
      Edge first = new Edge("hc_b", "hc_a", Edges.Kind.DEPENDS_ON);
      Edge second = new Edge("hc_c", "hc_a", Edges.Kind.PARENT);
      for (Edge edge : List.of(first, second, first)) {
        store.inTransaction(
            connection -> {
              edges.add(connection, edge);
              return true;
            });
      }
      assertThat(edges.dependentsOf("hc_a", 10)).containsExactly(first, second);
      assertThat(edges.dependentsOf("hc_a", 1)).containsExactly(first);
      assertThat(edges.dependenciesOf("hc_c", 10)).containsExactly(second);
      assertThat(edges.dependentsOf("hc_b", 10)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKeyBelongsToTheFirstThatClaimsIt(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open();
        var threads = Executors.newFixedThreadPool(4)) {
      IdempotencyKeys keys = new IdempotencyKeys(store);
      List<Future<String>> claims = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String heldId = "hc_" + i;
        claims.add(threads.submit(() -> claim(store, keys, AGENT, heldId)));
      }
      Set<String> owners = new HashSet<>();
      for (Future<String> claim : claims) {
        owners.add(claim.get());
      }
      assertThat(owners).hasSize(1);
      PrincipalRef other = new PrincipalRef("acme", "default", "agent-2");
      assertThat(claim(store, keys, other, "hc_other")).isEqualTo("hc_other");
    }
  }

  private static String claim(
      Store store, IdempotencyKeys keys, PrincipalRef principal, String heldId)
      throws SQLException {
    return store.inTransaction(connection -> keys.claim(connection, principal, "k", heldId));
  }

  @ParameterizedTest
  @EnumSource
  void nodesThatStartTogetherGetOneKey(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open();
        var threads = Executors.newFixedThreadPool(4)) {
      IssuerKeys keys = new IssuerKeys(store);
      AtomicInteger made = new AtomicInteger();
      List<Future<IssuerKey>> loads = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        loads.add(
            threads.submit(
                () ->
                    keys.loadOrCreate(
                        () -> new IssuerKey("k" + made.incrementAndGet(), "{\"d\":\"x\"}", 5))));
      }
      Set<IssuerKey> found = new HashSet<>();
      for (Future<IssuerKey> load : loads) {
        found.add(load.get());
      }
      assertThat(found).containsExactly(new IssuerKey("k1", "{\"d\":\"x\"}", 5));
      assertThat(keys.all()).hasSize(1);
      assertThat(found.iterator().next().toString()).doesNotContain("\"d\"");
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyJournalHasNothing(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      JournalReader journal = new JournalReader(store);
      assertThat(journal.maxSequence("none")).isZero();
      assertThat(journal.events("none", 1, 10)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theClockIsComparedWithTheDatabases(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      long same = new DatabaseClock(store, InstantSource.system()).skewMillis();
      InstantSource late = () -> Instant.now().minus(Duration.ofHours(1));
      long ahead = new DatabaseClock(store, late).skewMillis();
      assertThat(Duration.ofMillis(same)).isBetween(Duration.ofMinutes(-1), Duration.ofMinutes(1));
      assertThat(Duration.ofMillis(ahead))
          .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
    }
  }
}
