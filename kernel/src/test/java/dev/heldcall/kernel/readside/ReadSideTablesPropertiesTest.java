package dev.heldcall.kernel.readside;

import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static dev.heldcall.kernel.call.CoreFixtures.BOB;
import static dev.heldcall.kernel.readside.SeenCalls.deliveryId;
import static dev.heldcall.kernel.readside.SeenCalls.history;
import static dev.heldcall.kernel.readside.SeenCalls.sessionKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.deliver.MailboxItem;
import dev.heldcall.kernel.readside.ReadSideTables.Seen;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** In whatever order, how often and by whom the read side is told of a call: the newest counts. */
class ReadSideTablesPropertiesTest {

  private static final Map<Engine, Store> STORES = new EnumMap<>(Engine.class);

  @SuppressWarnings("NullAway.Init") // by jqwik
  private static Path folder;

  @BeforeContainer
  static void open() throws Exception {
    folder = Files.createTempDirectory("read-side");
    for (Engine each : Engine.values()) {
      STORES.put(each, each.fresh(folder).open());
    }
  }

  @AfterContainer
  static void close() throws Exception {
    STORES.values().forEach(Store::close);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  /** How a call went. */
  enum Life {
    WAITING,
    EDITED,
    WITH_A_CHILD,
    CANCELLED,
    CONCLUDED,
    ACKNOWLEDGED;

    LiveCall live() {
      LiveCall call = SeenCalls.waiting("hc_nobody", "hc_nobody_else");
      return switch (this) {
        case WAITING -> call;
        case EDITED -> {
          call.approve(BOB);
          call.edit("{'amount': 2}");
          call.approve(ALICE);
          yield call;
        }
        case WITH_A_CHILD -> {
          call.run(new HeldCallCommand.AnnounceChild("hc_child_of_nobody"));
          yield call;
        }
        case CANCELLED -> {
          call.cancel();
          yield call;
        }
        case CONCLUDED -> SeenCalls.concluded();
        case ACKNOWLEDGED -> SeenCalls.acknowledged();
      };
    }
  }

  /** What is told in which order, as places in the call's history; any of them may be missing. */
  @Provide
  Arbitrary<List<Integer>> tellings() {
    return Arbitraries.integers().between(0, 20).list().ofMaxSize(8);
  }

  @Property(tries = 60)
  void anyOrderSubsetAndRepetitionGivesWhatTheNewestGives(
      @ForAll Engine engine,
      @ForAll Life life,
      @ForAll("tellings") List<Integer> before,
      @ForAll("tellings") List<Integer> after)
      throws SQLException {
    Store store = Objects.requireNonNull(STORES.get(engine));
    ReadSideTables tables = new ReadSideTables(store, MailboxItem::of);
    LiveCall call = life.live();
    List<Seen> history = history(call);
    List<Seen> told = new ArrayList<>();
    before.forEach(each -> told.add(history.get(each % history.size())));
    told.add(history.getLast());
    after.forEach(each -> told.add(history.get(each % history.size())));
    for (Seen each : told) {
      tables.write(List.of(each));
    }
    holds(store, call);
  }

  @Property(tries = 20)
  void callsThatAreWrittenTogetherAreWrittenAsEachByItself(
      @ForAll Engine engine, @ForAll("lives") List<Life> lives) throws SQLException {
    Store store = Objects.requireNonNull(STORES.get(engine));
    ReadSideTables tables = new ReadSideTables(store, MailboxItem::of);
    List<LiveCall> calls = lives.stream().map(Life::live).toList();
    tables.write(calls.stream().map(SeenCalls::seen).toList());
    tables.write(calls.stream().map(call -> history(call).getFirst()).toList());
    for (LiveCall call : calls) {
      holds(store, call);
    }
  }

  @Provide
  Arbitrary<List<Life>> lives() {
    return Arbitraries.of(Life.class).list().ofMinSize(1).ofMaxSize(10);
  }

  private static void holds(Store store, LiveCall call) throws SQLException {
    String heldId = JournalRows.heldId(call);
    assertThat(new CallIndex(store).find(heldId))
        .contains(CallRows.of(call.facts(), call.journal().size()));
    List<Mailbox.Item> deliveries =
        new Mailbox(store)
            .list(sessionKey(call), 0, 10_000).stream()
                .filter(each -> each.heldId().equals(heldId))
                .toList();
    if (call.facts().concluded()) {
      assertThat(deliveries).hasSize(1);
      Mailbox.Item delivery = deliveries.getFirst();
      assertThat(delivery.deliveryId()).isEqualTo(deliveryId(call));
      assertThat(delivery.item()).isEqualTo(MailboxItem.of(call.facts()).toString());
      assertThat(delivery.acknowledged())
          .isEqualTo(call.facts().delivery() == dev.heldcall.kernel.call.Delivery.ACKNOWLEDGED);
    } else {
      assertThat(deliveries).isEmpty();
    }
    List<String> waitsFor = new ArrayList<>(call.facts().dependencies().keySet());
    waitsFor.addAll(call.facts().children().keySet());
    assertThat(new Edges(store).dependenciesOf(heldId, 100))
        .extracting(Edges.Edge::dependency)
        .containsExactlyInAnyOrderElementsOf(waitsFor);
  }
}
