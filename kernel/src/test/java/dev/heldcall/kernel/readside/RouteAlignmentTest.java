package dev.heldcall.kernel.readside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.deliver.MailboxItem;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.readside.ReadSideTables.Seen;
import dev.heldcall.kernel.route.Providers;
import dev.heldcall.kernel.route.RouteRecord;
import dev.heldcall.kernel.route.WitnessProviders;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The rows of routes that come about with the rows of calls. */
@ParameterizedClass
@EnumSource
@Timeout(60)
class RouteAlignmentTest {

  private static final AtomicInteger CALLS = new AtomicInteger();

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init") // by JUnit
  private static Store store;

  @Parameter Engine engine = Engine.H2;

  private final ReadSideTables tables =
      new ReadSideTables(
          store,
          MailboxItem::of,
          new WitnessProviders(List.of(provider("ci"), provider("human"), provider("peer"))));

  @BeforeParameterizedClassInvocation
  static void open(Engine engine) {
    store = engine.fresh(folder).open();
  }

  @AfterParameterizedClassInvocation
  static void close() {
    store.close();
  }

  private static WitnessProviders.Provider provider(String witnessClass) {
    ProviderContract contract = Providers.contract("p-" + witnessClass, witnessClass, 0);
    return new WitnessProviders.Provider(
        contract,
        new WitnessProvider() {
          @Override
          public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
            return CompletableFuture.failedFuture(new AssertionError("no row asks anybody"));
          }

          @Override
          public void close() {}
        });
  }

  private static LiveCall call(PolicyLayers layers) {
    return JournalRows.call("a-" + CALLS.incrementAndGet(), layers);
  }

  private List<String> written(LiveCall call) throws SQLException {
    tables.write(List.of(SeenCalls.seen(call)));
    return rows(call);
  }

  private static List<String> rows(LiveCall call) throws SQLException {
    return new RouteTable(store)
        .of(JournalRows.heldId(call)).stream().map(RouteAlignmentTest::text).sorted().toList();
  }

  private static String text(RouteRecord route) {
    return route.key().generation()
        + " "
        + route.key().provider()
        + " "
        + route.state().wireName()
        + (route.round() == 1 ? "" : " again")
        + (route.note() == null ? "" : ": " + route.note());
  }

  @Test
  void aHeldCallHasARowForEverybodyWhoMayBeAsked() throws SQLException {
    LiveCall call = call(CoreFixtures.demand("human & (ci | peer)"));
    assertThat(written(call))
        .containsExactly("1 p-ci wanted", "1 p-human wanted", "1 p-peer wanted");
    RouteRecord row = new RouteTable(store).of(JournalRows.heldId(call)).getFirst();
    assertThat(row.contractDigest()).isEqualTo(call.contractDigest());
    assertThat(row.tool()).isEqualTo("transfer");
    assertThat(row.org()).isEqualTo("acme");
    assertThat(written(call)).hasSize(3);
  }

  @Test
  void aCallThatAsksNobodyHasNone() throws SQLException {
    assertThat(written(call(CoreFixtures.ALLOW))).isEmpty();
    assertThat(written(call(CoreFixtures.DENY))).isEmpty();
    assertThat(written(call(CoreFixtures.demand("compliance")))).isEmpty();
  }

  @Test
  void aFallbackHasItsRowOnceItIsOpen() throws SQLException {
    LiveCall call = call(CoreFixtures.demand("fallback(ci, 1m, peer)"));
    assertThat(written(call)).containsExactly("1 p-ci wanted");
    call.advance(Duration.ofMinutes(2)).tick();
    assertThat(written(call)).containsExactly("1 p-ci wanted", "1 p-peer wanted");
  }

  @Test
  void aDecidedCallTakesItsRequestsBack() throws SQLException {
    LiveCall call = call(CoreFixtures.demand("human"));
    assertThat(written(call)).hasSize(1);
    call.approve(CoreFixtures.ALICE);
    assertThat(written(call)).containsExactly("1 p-human withdrawn: the call was released");
    LiveCall other = call(CoreFixtures.demand("human"));
    assertThat(written(other)).hasSize(1);
    other.cancel();
    assertThat(written(other)).containsExactly("1 p-human withdrawn: the call is cancelled");
  }

  @Test
  void aCallThatPolicyDeniesLaterTakesItsRequestsBackToo() throws SQLException {
    LiveCall call = call(CoreFixtures.demand("human"));
    assertThat(written(call)).containsExactly("1 p-human wanted");
    call.adopt(CoreFixtures.DENY).tick();
    assertThat(written(call)).containsExactly("1 p-human withdrawn: the call is denied");
  }

  @Test
  void anEditMakesRowsOfItsOwn() throws SQLException {
    LiveCall call = call(CoreFixtures.demand("human"));
    assertThat(written(call)).hasSize(1);
    call.edit("{'amount': 2}");
    assertThat(written(call))
        .containsExactly("1 p-human withdrawn: no longer asked for", "2 p-human wanted");
  }

  @Test
  void anotherPolicyThatAllowsTakesBackWhatWasAsked() throws SQLException {
    LiveCall call = call(CoreFixtures.demand("human"));
    assertThat(written(call)).hasSize(1);
    call.adopt(CoreFixtures.demand("ci")).tick();
    assertThat(written(call))
        .containsExactly("1 p-ci wanted", "1 p-human withdrawn: no longer asked for");
    call.adopt(CoreFixtures.demand("human")).tick();
    assertThat(written(call))
        .containsExactly("1 p-ci withdrawn: no longer asked for", "1 p-human wanted again");
  }

  @Test
  void whatIsWrittenLateChangesNothing() throws SQLException {
    LiveCall call = call(CoreFixtures.demand("human"));
    Seen first = SeenCalls.seen(call);
    call.edit("{'amount': 2}");
    assertThat(written(call)).containsExactly("2 p-human wanted");
    tables.write(List.of(first));
    assertThat(rows(call)).containsExactly("2 p-human wanted");
    assertThat(Objects.requireNonNull(first.facts().generation()).number()).isEqualTo(1);
  }
}
