package dev.heldcall.kernel.readside;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class MailboxTest {

  private static final List<Mailbox.Entry> ENTRY =
      List.of(new Mailbox.Entry("s1", "d1", "hc_1", "{}"));

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void numbersEachSessionFromOneAndADeliveryOnce(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      Mailbox mailbox = new Mailbox(store);
      assertThat(append(store, mailbox, "s1", "d1")).isEqualTo(1);
      assertThat(append(store, mailbox, "s1", "d2")).isEqualTo(2);
      assertThat(append(store, mailbox, "s2", "d3")).isEqualTo(1);
      assertThat(append(store, mailbox, "s1", "d1")).isEqualTo(1);

      assertThat(mailbox.list("s1", 0, 10))
          .containsExactly(
              new Mailbox.Item(1, "d1", "hc_d1", false, "{\"d1\":1}"),
              new Mailbox.Item(2, "d2", "hc_d2", false, "{\"d2\":1}"));
      assertThat(mailbox.list("s1", 1, 10)).extracting(Mailbox.Item::seq).containsExactly(2L);
      assertThat(mailbox.list("s1", 0, 1)).hasSize(1);
      assertThat(mailbox.find("s2", "d1")).isEmpty();
      assertThat(mailbox.find("s1", "d1")).map(Mailbox.Item::seq).contains(1L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void acknowledgesOnceAndStillLists(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      Mailbox mailbox = new Mailbox(store);
      append(store, mailbox, "s1", "d1");
      append(store, mailbox, "s1", "d2");
      assertThat(acknowledge(store, mailbox)).isEmpty();
      assertThat(acknowledge(store, mailbox, "d1")).isEmpty();
      assertThat(acknowledge(store, mailbox, "d1")).isEmpty();
      assertThat(acknowledge(store, mailbox, "d1", "d9")).containsExactly("d9");
      assertThat(mailbox.list("s1", 0, 10))
          .extracting(Mailbox.Item::acknowledged)
          .containsExactly(true, false);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSeqThatWasRolledBackIsGivenAgain(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      Mailbox mailbox = new Mailbox(store);
      assertThatThrownBy(
              () ->
                  store.inTransaction(
                      connection -> {
                        mailbox.append(connection, ENTRY);
                        throw new IllegalStateException("no");
                      }))
          .hasMessage("no");
      assertThat(append(store, mailbox, "s1", "d2")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesToTakeASeqOutsideATransaction(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open();
        Connection connection = store.connection()) {
      Mailbox mailbox = new Mailbox(store);
      assertThatThrownBy(() -> mailbox.append(connection, ENTRY))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void takesSeveralDeliveriesOfSeveralSessionsInTheirOrder(Engine engine) throws SQLException {
    try (Store store = engine.fresh(folder).open()) {
      Mailbox mailbox = new Mailbox(store);
      append(store, mailbox, "s1", "d1");
      store.inTransaction(
          connection -> {
            mailbox.append(connection, List.of());
            mailbox.append(
                connection,
                List.of(
                    entry("s2", "d2"),
                    entry("s1", "d3"),
                    entry("s1", "d1"),
                    entry("s1", "d3"),
                    entry("s2", "d4")));
            return true;
          });
      assertThat(mailbox.list("s1", 0, 10))
          .extracting(Mailbox.Item::deliveryId)
          .containsExactly("d1", "d3");
      assertThat(mailbox.list("s2", 0, 10))
          .extracting(Mailbox.Item::deliveryId)
          .containsExactly("d2", "d4");
      assertThat(append(store, mailbox, "s1", "d5")).isEqualTo(3);
      assertThat(append(store, mailbox, "s2", "d6")).isEqualTo(3);
    }
  }

  /** The design, rule 18. */
  @ParameterizedTest
  @EnumSource
  void rule18OnceASeqWasVisibleNothingLowerAppears(Engine engine) throws Exception {
    int writers = 3;
    int each = 25;
    try (Store store = engine.fresh(folder).open();
        var threads = Executors.newFixedThreadPool(writers + 1)) {
      Mailbox mailbox = new Mailbox(store);
      AtomicBoolean writing = new AtomicBoolean(true);
      Future<Boolean> reader =
          threads.submit(
              () -> {
                boolean gapFree = true;
                while (writing.get()) {
                  List<Mailbox.Item> items = mailbox.list("s1", 0, 1000);
                  gapFree &= items.isEmpty() || items.getLast().seq() == items.size();
                }
                return gapFree;
              });
      List<Future<?>> done = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        String name = "w" + w + "-";
        done.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    append(store, mailbox, "s1", name + i);
                  }
                  return true;
                }));
      }
      try {
        for (Future<?> writer : done) {
          writer.get();
        }
      } finally {
        writing.set(false); // or a failure would wait for the reader for ever
      }
      assertThat(reader.get()).isTrue();
      assertThat(mailbox.list("s1", 0, 1000))
          .extracting(Mailbox.Item::seq)
          .containsExactlyElementsOf(
              LongStream.rangeClosed(1, (long) writers * each).boxed().toList());
    }
  }

  private static Mailbox.Entry entry(String session, String delivery) {
    return new Mailbox.Entry(session, delivery, "hc_" + delivery, "{\"" + delivery + "\":1}");
  }

  /** Appends in a transaction of its own; answers the place. */
  private static long append(Store store, Mailbox mailbox, String session, String delivery)
      throws SQLException {
    store.inTransaction(
        connection -> {
          mailbox.append(connection, List.of(entry(session, delivery)));
          return true;
        });
    return mailbox.find(session, delivery).orElseThrow().seq();
  }

  /** Answers which are unknown. */
  private static Set<String> acknowledge(Store store, Mailbox mailbox, String... deliveries)
      throws SQLException {
    return store.inTransaction(connection -> mailbox.acknowledge(connection, List.of(deliveries)));
  }
}
