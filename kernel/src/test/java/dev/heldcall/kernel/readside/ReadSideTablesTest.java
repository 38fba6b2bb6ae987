package dev.heldcall.kernel.readside;

import static dev.heldcall.kernel.readside.JournalRows.heldId;
import static dev.heldcall.kernel.readside.SeenCalls.deliveryId;
import static dev.heldcall.kernel.readside.SeenCalls.history;
import static dev.heldcall.kernel.readside.SeenCalls.seen;
import static dev.heldcall.kernel.readside.SeenCalls.sessionKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.Slices;
import dev.heldcall.kernel.deliver.MailboxItem;
import dev.heldcall.kernel.readside.ReadSideTables.Seen;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
@Timeout(60)
class ReadSideTablesTest {

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init") // by JUnit
  private static Store store;

  @Parameter Engine engine = Engine.H2;
  private final ReadSideTables tables = new ReadSideTables(store, MailboxItem::of);
  private final CallIndex index = new CallIndex(store);
  private final Mailbox mailbox = new Mailbox(store);

  @BeforeParameterizedClassInvocation
  static void open(Engine engine) {
    store = engine.fresh(folder).open();
  }

  @AfterParameterizedClassInvocation
  static void close() {
    store.close();
  }

  private void write(LiveCall call) throws SQLException {
    tables.write(List.of(seen(call)));
  }

  private Mailbox.Item delivery(LiveCall call) throws SQLException {
    return mailbox.find(sessionKey(call), deliveryId(call)).orElseThrow();
  }

  /** When the sweeper would wake the call. */
  private @org.jspecify.annotations.Nullable Long due(LiveCall call) throws SQLException {
    return index.find(heldId(call)).orElseThrow().dueAtMillis();
  }

  /** As the sweeper does that has woken the call: it is due again much later. */
  private void sweep(LiveCall call) throws SQLException {
    DueIndex due = new DueIndex(store, Slices.of(heldId(call)));
    long later = call.now().plus(Duration.ofDays(1)).toEpochMilli();
    assertThat(due.takeDue(later - 1, later, 10_000)).contains(heldId(call));
    assertThat(due(call)).isEqualTo(later);
  }

  @Test
  void anAcknowledgementWithoutAKnownDeliveryPutsItIn() throws SQLException {
    LiveCall call = SeenCalls.acknowledged();
    write(call);
    assertThat(delivery(call).acknowledged()).isTrue();
    assertThat(delivery(call).item()).isEqualTo(MailboxItem.of(call.facts()).toString());

    tables.write(List.of(history(call).get(call.journal().size() - 2)));
    assertThat(delivery(call).acknowledged()).isTrue();
  }

  @Test
  void whatIsPutInIsToldOnceAndAsItIs() throws SQLException {
    LiveCall waits = SeenCalls.waiting();
    LiveCall concluded = SeenCalls.concluded();
    LiveCall acknowledged = SeenCalls.acknowledged();
    List<Seen> all = List.of(seen(acknowledged), seen(waits), seen(concluded));
    List<Mailbox.Appended> told = tables.write(all);
    assertThat(told)
        .extracting(each -> each.item())
        .containsExactlyInAnyOrder(delivery(concluded), delivery(acknowledged));
    assertThat(told).extracting(Mailbox.Appended::sessionKey).containsOnly(sessionKey(waits));
    assertThat(told).extracting(each -> each.item().seq()).isSorted();
    assertThat(tables.write(all)).isEmpty();
  }

  @Test
  void conclusionsOfOneGroupAreInTheOrderInWhichTheyCameAbout() throws SQLException {
    List<LiveCall> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      LiveCall call = SeenCalls.waitingIn("in-order").advance(Duration.ofMillis(i + 1));
      call.cancel();
      calls.add(call);
    }
    List<String> order = calls.stream().map(SeenCalls::deliveryId).toList();
    tables.write(calls.reversed().stream().map(SeenCalls::seen).toList());
    assertThat(mailbox.list(sessionKey(calls.getFirst()), 0, 10))
        .extracting(Mailbox.Item::deliveryId)
        .isEqualTo(order);
  }

  @Test
  void theIndexShowsAConcludedCallOnlyWithItsConclusion() throws SQLException {
    ReadSideTables failing = new ReadSideTables(store, ReadSideTablesTest::noItem);
    LiveCall call = SeenCalls.concluded();
    LiveCall beside = SeenCalls.waiting();
    assertThatThrownBy(() -> failing.write(List.of(seen(beside), seen(call)))).hasMessage("no");
    assertThat(index.find(heldId(call))).isEmpty();
    assertThat(index.find(heldId(beside))).isEmpty();
    assertThat(mailbox.find(sessionKey(call), deliveryId(call))).isEmpty();
  }

  private static ObjectNode noItem(HeldCallFacts facts) {
    throw new IllegalStateException("no");
  }

  @Test
  void aCallThatNobodyKnowsTheMissedOfIsDueAtOnceUntilItIsConcluded() throws SQLException {
    LiveCall waits = SeenCalls.waiting();
    tables.write(List.of(new Seen(waits.facts(), waits.journal().size(), true)));
    assertThat(due(waits)).isEqualTo(waits.facts().lastEventAt().toEpochMilli());

    LiveCall concluded = SeenCalls.acknowledged();
    tables.write(List.of(new Seen(concluded.facts(), concluded.journal().size(), true)));
    assertThat(due(concluded))
        .isEqualTo(CallRows.of(concluded.facts(), concluded.journal().size()).dueAtMillis());
  }

  @Test
  void callsThatWaitForAConcludedOneAreDue() throws SQLException {
    LiveCall first = SeenCalls.waiting();
    LiveCall second = SeenCalls.waiting(heldId(first));
    LiveCall parent = SeenCalls.waiting();
    parent.run(new HeldCallCommand.AnnounceChild(heldId(first)));
    LiveCall bystander = SeenCalls.waiting("hc_somebody");
    for (LiveCall each : List.of(first, second, parent, bystander)) {
      write(each);
      sweep(each);
    }
    long before = java.util.Objects.requireNonNull(due(bystander));
    first.cancel();
    write(first);
    assertThat(due(second)).isEqualTo(first.facts().lastEventAt().toEpochMilli());
    assertThat(due(parent)).isEqualTo(first.facts().lastEventAt().toEpochMilli());
    assertThat(due(bystander)).isEqualTo(before);
  }

  @Test
  void aCallWhoseDependencyHasConcludedBeforeIsDue() throws SQLException {
    LiveCall first = SeenCalls.waiting();
    first.cancel();
    write(first);
    LiveCall second = SeenCalls.waiting(heldId(first));
    write(second);
    assertThat(due(second)).isEqualTo(second.facts().lastEventAt().toEpochMilli());
  }

  @Test
  void aCallThatHasEndedIsNotMadeDueByAnother() throws SQLException {
    LiveCall first = SeenCalls.waiting();
    LiveCall second = SeenCalls.waiting(heldId(first));
    second.cancel();
    write(second);
    Long due = due(second);
    first.cancel();
    write(first);
    assertThat(due(second)).isEqualTo(due);
  }
}
