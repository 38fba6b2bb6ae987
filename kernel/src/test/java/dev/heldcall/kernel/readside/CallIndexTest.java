package dev.heldcall.kernel.readside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import dev.heldcall.plugin.api.PrincipalRef;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class CallIndexTest {

  private static final PrincipalRef AGENT = new PrincipalRef("acme", "default", "agent-1");
  private static final PrincipalRef ALICE = new PrincipalRef("acme", "default", "alice");
  private static final Audience OPERATOR = new Audience.Operator("acme");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void keepsWhatItIsGivenAndTheLatestOfIt(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      CallIndex index = new CallIndex(store);
      CallRow first = row("hc_1", AGENT, CallState.WAITING, 100L, Set.of("human", "ci"), 3);
      write(store, index, first);
      assertThat(index.find("hc_1")).contains(first);

      CallRow later = row("hc_1", AGENT, CallState.ENDED, null, Set.of(), 5);
      write(store, index, later);
      write(store, index, row("hc_1", AGENT, CallState.WAITING, 100L, Set.of("human"), 4));
      assertThat(index.find("hc_1")).contains(later);
      assertThat(index.find("hc_2")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theLatestWinsWhateverTheOrder(Engine engine) throws Exception {
    try (Store store = engine.fresh(folder).open();
        var writers = Executors.newFixedThreadPool(4)) {
      CallIndex index = new CallIndex(store);
      List<Future<?>> done = new ArrayList<>();
      for (int i = 1; i <= 40; i++) {
        CallRow row = row("hc_1", AGENT, CallState.WAITING, 1L, Set.of(), (i * 7) % 41);
        done.add(
            writers.submit(
                () -> {
                  write(store, index, row);
                  return true;
                }));
      }
      for (Future<?> each : done) {
        each.get();
      }
      assertThat(index.find("hc_1")).map(CallRow::seqNr).contains(40L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void listsTheOldestDeadlineFirstAndPageByPage(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      CallIndex index = new CallIndex(store);
      write(store, index, row("hc_e", AGENT, CallState.WAITING, null, Set.of(), 1));
      write(store, index, row("hc_d", AGENT, CallState.WAITING, null, Set.of(), 1));
      write(store, index, row("hc_c", AGENT, CallState.WAITING, 20L, Set.of(), 1));
      write(store, index, row("hc_b", AGENT, CallState.READY, 10L, Set.of(), 1));
      write(store, index, row("hc_a", AGENT, CallState.WAITING, 20L, Set.of(), 1));

      List<String> seen = new ArrayList<>();
      CallQuery query = CallQuery.everything(OPERATOR, 2);
      CallPage page = index.list(query);
      seen.addAll(ids(page));
      while (page.nextCursor() != null) {
        page = index.list(query.after(page.nextCursor()));
        seen.addAll(ids(page));
      }
      assertThat(seen).containsExactly("hc_b", "hc_a", "hc_c", "hc_d", "hc_e");
      assertThat(ids(index.list(query.in(CallState.READY)))).containsExactly("hc_b");
    }
  }

  @ParameterizedTest
  @EnumSource
  void everybodySeesTheirOwn(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      CallIndex index = new CallIndex(store);
      PrincipalRef stranger = new PrincipalRef("evil", "default", "agent-1");
      PrincipalRef elsewhere = new PrincipalRef("acme", "other", "agent-1");
      write(store, index, row("hc_1", AGENT, CallState.WAITING, 1L, Set.of("human"), 1));
      write(store, index, row("hc_2", ALICE, CallState.WAITING, 2L, Set.of("ci", "human"), 1));
      write(store, index, row("hc_3", ALICE, CallState.WAITING, 3L, Set.of("superhuman"), 1));
      write(store, index, row("hc_4", stranger, CallState.WAITING, 4L, Set.of("human"), 1));
      write(store, index, row("hc_5", elsewhere, CallState.WAITING, 5L, Set.of(), 1));

      assertThat(seen(index, OPERATOR)).containsExactly("hc_1", "hc_2", "hc_3", "hc_5");
      assertThat(seen(index, new Audience.Member(AGENT, Set.of()))).containsExactly("hc_1");
      assertThat(seen(index, new Audience.Member(ALICE, Set.of("human"))))
          .containsExactly("hc_1", "hc_2", "hc_3");
      assertThat(seen(index, new Audience.Member(AGENT, Set.of("ci", "h%"))))
          .containsExactly("hc_1", "hc_2");
    }
  }

  @ParameterizedTest
  @EnumSource
  void filtersByClassSessionToolAndPrincipal(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      CallIndex index = new CallIndex(store);
      write(store, index, row("hc_1", AGENT, CallState.WAITING, 1L, Set.of("human"), 1));
      write(store, index, row("hc_2", ALICE, CallState.WAITING, 2L, Set.of("ci"), 1));

      assertThat(filtered(index, Set.of("ci", "x"), null, null, null)).containsExactly("hc_2");
      assertThat(filtered(index, Set.of("_i"), null, null, null)).isEmpty();
      assertThat(filtered(index, Set.of(), "session of hc_1", null, null)).containsExactly("hc_1");
      assertThat(filtered(index, Set.of(), null, "no-tool", null)).isEmpty();
      assertThat(filtered(index, Set.of(), null, "pay", "alice")).containsExactly("hc_2");
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsWhatIsDueCountsWhatIsOpenAndListsASession(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      CallIndex index = new CallIndex(store);
      write(store, index, row("hc_1", AGENT, CallState.WAITING, 30L, Set.of(), 1));
      write(store, index, row("hc_2", AGENT, CallState.WAITING, 20L, Set.of(), 1));
      write(store, index, row("hc_3", AGENT, CallState.WAITING, null, Set.of(), 1));
      write(store, index, row("hc_4", AGENT, CallState.ENDED, 10L, Set.of(), 1));

      assertThat(index.due(29, 10))
          .containsExactly(new CallIndex.DueCall("hc_4", 10), new CallIndex.DueCall("hc_2", 20));
      assertThat(index.due(30, 2)).hasSize(2);
      assertThat(index.countOpen(AGENT)).isEqualTo(3);
      assertThat(index.countOpen(ALICE)).isZero();
      assertThat(index.bySession("acme/hc_2", 10))
          .extracting(CallRow::heldId)
          .containsExactly("hc_2");
    }
  }

  @Test
  void refusesACursorOfSomebodyElse() {
    CallQuery query = CallQuery.everything(OPERATOR, 2);
    for (String cursor : List.of("%", "", "MTox!", "bm8", "eDp5", "MTo")) {
      assertThatThrownBy(() -> CallListSql.of(query.after(cursor)))
          .as(cursor)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("not a cursor");
    }
    assertThatThrownBy(() -> CallQuery.everything(OPERATOR, 501)).hasMessageContaining("1 to 500");
  }

  private static List<String> seen(CallIndex index, Audience audience) throws SQLException {
    return ids(index.list(CallQuery.everything(audience, 50)));
  }

  private static List<String> filtered(
      CallIndex index,
      Set<String> classes,
      @Nullable String session,
      @Nullable String tool,
      @Nullable String principal)
      throws SQLException {
    return ids(
        index.list(new CallQuery(OPERATOR, null, classes, session, tool, principal, null, 50)));
  }

  private static List<String> ids(CallPage page) {
    return page.rows().stream().map(CallRow::heldId).toList();
  }

  private static void write(Store store, CallIndex index, CallRow row) throws SQLException {
    store.inTransaction(
        connection -> {
          index.upsert(connection, row);
          return true;
        });
  }

  private static CallRow row(
      String heldId,
      PrincipalRef proposer,
      CallState state,
      @Nullable Long expires,
      Set<String> classes,
      long seqNr) {
    return new CallRow(
        heldId,
        proposer,
        "session of " + heldId,
        "t-1",
        "c-1",
        "acme/" + heldId,
        "pay",
        state,
        "HELD",
        expires,
        1_000,
        expires,
        classes,
        1,
        seqNr,
        "{\"amount\":\"125 000 €\"}",
        state == CallState.ENDED);
  }
}
