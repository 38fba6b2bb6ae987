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
      assertThat(acknowledge(store, mailbox, "d1")).isTrue();
      assertThat(acknowledge(store, mailbox, "d1")).isFalse();
      assertThat(acknowledge(store, mailbox, "d9")).isFalse();
      assertThat(mailbox.list("s1", 0, 10))
          .extracting(Mailbox.Item::acknowledged)
          .containsExactly(true);
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
                        mailbox.append(connection, "s1", "d1", "hc_1", "{}");
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
      assertThatThrownBy(() -> mailbox.append(connection, "s1", "d1", "hc_1", "{}"))
          .isInstanceOf(IllegalStateException.class);
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
      for (Future<?> writer : done) {
        writer.get();
      }
      writing.set(false);
      assertThat(reader.get()).isTrue();
      assertThat(mailbox.list("s1", 0, 1000))
          .extracting(Mailbox.Item::seq)
          .containsExactlyElementsOf(
              LongStream.rangeClosed(1, (long) writers * each).boxed().toList());
    }
  }

  private static long append(Store store, Mailbox mailbox, String session, String delivery)
      throws SQLException {
    return store.inTransaction(
        connection ->
            mailbox.append(
                connection, session, delivery, "hc_" + delivery, "{\"" + delivery + "\":1}"));
  }

  private static boolean acknowledge(Store store, Mailbox mailbox, String delivery)
      throws SQLException {
    return store.inTransaction(connection -> mailbox.markAcknowledged(connection, delivery));
  }
}
