package dev.heldcall.witness.database;

import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static dev.heldcall.plugin.api.AttestationDecision.DENY;
import static dev.heldcall.witness.FactRequests.ask;
import static dev.heldcall.witness.FactRequests.asking;
import static dev.heldcall.witness.FactRequests.attested;
import static dev.heldcall.witness.FactRequests.contract;
import static dev.heldcall.witness.FactRequests.deferred;
import static dev.heldcall.witness.FactRequests.digestOnly;
import static dev.heldcall.witness.FactRequests.evidence;
import static dev.heldcall.witness.FactRequests.hiding;
import static dev.heldcall.witness.FactRequests.json;
import static dev.heldcall.witness.FactRequests.services;
import static dev.heldcall.witness.FactRequests.unavailable;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.database.WitnessedDatabases.Database;
import dev.heldcall.witness.database.WitnessedDatabases.Engine;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TimeZone;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One query, on both databases: what it reads, and what it can't do. */
public class DatabaseProviderTest {

  private static final String STATUS =
      "'sql':'select status, amount_minor, price, paid, note from orders where id = ?',"
          + "'parameters':['/order_id']";

  private final List<WitnessProvider> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(WitnessProvider::close);
  }

  private WitnessProvider provider(Database database, String settings) throws Exception {
    return provider(database, settings, Duration.ofSeconds(10));
  }

  private WitnessProvider provider(Database database, String settings, Duration timeout)
      throws Exception {
    ObjectNode all = (ObjectNode) json("{" + settings + "}");
    all.put("url", database.url())
        .put("user", database.user())
        .put("password", database.password());
    WitnessProvider provider =
        new DatabaseType().create(contract("database", timeout), all, services());
    opened.add(provider);
    return provider;
  }

  @ParameterizedTest
  @EnumSource
  void anExpectedValueIsApproved(Engine engine) throws Exception {
    WitnessProvider provider =
        provider(engine.fresh(), STATUS + ",'name':'order-status','expect':{'STATUS':'shipped'}");
    WitnessRequest request = asking("{'order_id':'o-1'}");
    JsonNode evidence = evidence(attested(ask(provider, request), request, APPROVE));
    assertThat(evidence.path("type").asText()).isEqualTo("database");
    assertThat(evidence.path("query").asText()).isEqualTo("order-status");
    assertThat(evidence.path("rows").asInt()).isEqualTo(1);
    assertThat(evidence.path("digest").asText()).startsWith("sha256:");
    assertThat(evidence.toString()).doesNotContain("shipped").doesNotContain("125000");
  }

  @ParameterizedTest
  @EnumSource
  void theRowsDigestIsTheSameAgainAndAnotherForOtherRows(Engine engine) throws Exception {
    WitnessProvider provider =
        provider(engine.fresh(), STATUS + ",'expect-rows':1,'show':['status','AMOUNT_MINOR']");
    WitnessRequest one = asking("{'order_id':'o-1'}");
    WitnessRequest two = asking("{'order_id':'o-2'}");
    JsonNode first = evidence(attested(ask(provider, one), one, APPROVE));
    JsonNode again = evidence(attested(ask(provider, one), one, APPROVE));
    JsonNode other = evidence(attested(ask(provider, two), two, APPROVE));
    assertThat(first.path("digest")).isEqualTo(again.path("digest"));
    assertThat(first.path("digest")).isNotEqualTo(other.path("digest"));
    assertThat(first.path("shown"))
        .isEqualTo(json("[{'status':'shipped','amount_minor':'125000'}]"));
  }

  @ParameterizedTest
  @EnumSource
  void aValueOfTheCallIsComparedByItsKind(Engine engine) throws Exception {
    WitnessProvider provider =
        provider(
            engine.fresh(),
            STATUS
                + ",'expect':{'amount_minor':{'args':'/amount'},'price':{'args':'/price'},"
                + "'paid':true,'note':null}");
    WitnessRequest same = asking("{'order_id':'o-1','amount':125000,'price':1250.0}");
    attested(ask(provider, same), same, APPROVE);
    for (String amount : List.of("125001", "'125000'", "true", "null")) {
      WitnessRequest other = asking("{'order_id':'o-1','amount':" + amount + ",'price':1250}");
      assertThat(attested(ask(provider, other), other, DENY).reason())
          .isEqualTo("the column amount_minor is not as expected");
    }
    assertThat(deferred(ask(provider, asking("{'order_id':'o-1','amount':[125000],'price':1250}"))))
        .contains("is not single");
  }

  @ParameterizedTest
  @EnumSource
  void anotherValueIsDeniedOrDeferred(Engine engine) throws Exception {
    Database database = engine.fresh();
    String expect = STATUS + ",'expect':{'status':'shipped'}";
    WitnessRequest open = asking("{'order_id':'o-2'}");
    assertThat(attested(ask(provider(database, expect), open), open, DENY).reason())
        .isEqualTo("the column status is not as expected");
    assertThat(deferred(ask(provider(database, expect + ",'on-mismatch':'defer'"), open)))
        .isEqualTo("the column status is not as expected");
    WitnessRequest unknown = asking("{'order_id':'o-9'}");
    assertThat(attested(ask(provider(database, expect), unknown), unknown, DENY).reason())
        .isEqualTo("the query gives no row");
    assertThat(deferred(ask(provider(database, STATUS + ",'expect':{'state':1}"), open)))
        .isEqualTo("the query gives no column state");
  }

  @ParameterizedTest
  @EnumSource
  void moreRowsThanAreReadCannotBeTold(Engine engine) throws Exception {
    Database database = engine.fresh();
    String all = "'sql':'select id from orders','expect-rows':2,'max-rows':";
    WitnessRequest request = asking("{}");
    attested(ask(provider(database, all + "2"), request), request, APPROVE);
    assertThat(deferred(ask(provider(database, all + "1"), request)))
        .isEqualTo("the query gives more than 1 rows");
  }

  @ParameterizedTest
  @EnumSource
  void parametersAreOfTheirKinds(Engine engine) throws Exception {
    WitnessProvider provider =
        provider(
            engine.fresh(),
            "'sql':'select id from orders where number = ? and price = ? and paid = ?',"
                + "'parameters':[{'args':'/n','type':'integer'},{'args':'/p','type':'decimal'},"
                + "{'args':'/b','type':'boolean'}],'expect':{'id':'o-1'}");
    WitnessRequest right = asking("{'n':1,'p':1250.00,'b':true}");
    attested(ask(provider, right), right, APPROVE);
    assertThat(deferred(ask(provider, asking("{'n':'1','p':1250,'b':true}"))))
        .isEqualTo("the argument /n is not a whole number");
    assertThat(deferred(ask(provider, asking("{'n':1.5,'p':1250,'b':true}")))).contains("/n");
    assertThat(deferred(ask(provider, asking("{'n':1,'p':'x','b':true}"))))
        .isEqualTo("the argument /p is not a number");
    assertThat(deferred(ask(provider, asking("{'n':1,'p':1,'b':'true'}"))))
        .isEqualTo("the argument /b is not true or false");
  }

  @ParameterizedTest
  @EnumSource
  void timesReadTheSameOnEveryNode(Engine engine) throws Exception {
    Database database = engine.fresh();
    database.run(
        "create table times (d date, t time(0), s timestamp, z timestamp with time zone)",
        "insert into times values ('2026-03-29', '01:30:00', '2026-03-29 02:30:00',"
            + " '2026-03-29 02:30:00+02:00')",
        "insert into times values (null, null, null, null)");
    String query =
        "'sql':'select * from times where d is not null','expect':{'d':'2026-03-29','t':'01:30',"
            + "'s':'2026-03-29T02:30','z':'2026-03-29T00:30:00Z'}";
    WitnessProvider provider = provider(database, query);
    WitnessRequest request = asking("{}");
    TimeZone before = TimeZone.getDefault();
    try {
      for (String zone : List.of("UTC", "America/Los_Angeles", "Europe/Berlin")) {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        // More often than the driver needs to begin to fetch in its binary form.
        for (int i = 0; i < 7; i++) {
          attested(ask(provider, request), request, APPROVE);
        }
      }
    } finally {
      TimeZone.setDefault(before);
    }
    String none =
        "'sql':'select * from times where d is null','expect':{'d':null,'t':null,'s':null,"
            + "'z':null}";
    attested(ask(provider(database, none), request), request, APPROVE);
  }

  @ParameterizedTest
  @EnumSource
  void anArgumentIsNeverPartOfTheQuery(Engine engine) throws Exception {
    Database database = engine.fresh();
    WitnessProvider provider =
        provider(
            database,
            "'sql':'select id from orders where id = ?','parameters':['/order_id'],"
                + "'expect-rows':1");
    for (String argument :
        List.of(
            "x' or '1'='1",
            "o-1'; drop table orders; --",
            "' union select id from orders where id = 'o-1",
            "o-1\\' or 1=1 --",
            "$$; delete from orders; $$",
            "? or 1=1")) {
      ObjectNode args = (ObjectNode) json("{}");
      args.put("order_id", argument);
      WitnessRequest request = asking(args.toString().replace("'", "\\u0027"));
      assertThat(attested(ask(provider, request), request, DENY).reason())
          .isEqualTo("the query gives 0 rows where 1 are expected");
    }
    assertThat(database.count("select count(*) from orders")).isEqualTo(2);
  }

  @Test
  void aQueryThatWritesIsRefusedByPostgres() throws Exception {
    Database database = Engine.POSTGRESQL.fresh();
    database.run(
        "create function wipe() returns int language sql as 'delete from orders returning 1'",
        "create sequence numbers");
    for (String sql : List.of("select wipe()", "select nextval(\\u0027numbers\\u0027)")) {
      WitnessProvider provider = provider(database, "'sql':'" + sql + "','expect-rows':1");
      assertThat(unavailable(ask(provider, asking("{}")), false)).contains("tried to write");
    }
    assertThat(database.count("select count(*) from orders")).isEqualTo(2);
  }

  @Test
  void aQueryThatWritesLeavesNothingInH2() throws Exception {
    Database database = Engine.H2.fresh();
    database.run("create alias wipe for '" + Wiping.class.getName() + ".wipe'");
    WitnessProvider provider = provider(database, "'sql':'select wipe() as n','expect':{'n':2}");
    WitnessRequest request = asking("{}");
    attested(ask(provider, request), request, APPROVE); // so it did delete both
    assertThat(database.count("select count(*) from orders")).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void aQueryThatHangsIsEnded(Engine engine) throws Exception {
    String slow =
        switch (engine) {
          case H2 -> "select sum(x) as n from system_range(1, 100000000000)";
          case POSTGRESQL -> "select 1 as n from pg_sleep(60)";
        };
    Database database = engine.fresh();
    WitnessProvider provider =
        provider(
            database,
            "'sql':'" + slow + "','expect':{'n':1},'statement-timeout':'300ms','pool':{'size':1}");
    assertThat(unavailable(ask(provider, asking("{}")), true))
        .isEqualTo("the query ran longer than 300ms");
    if (engine == Engine.POSTGRESQL) {
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(
                          database.count(
                              "select count(*) from pg_stat_activity where state = 'active'"
                                  + " and query like '%pg_sleep(60)%' and pid <> pg_backend_pid()"))
                      .isZero());
    }
  }

  @Test
  void aPoolThatIsInUseIsSaidToBe() throws Exception {
    Database database = Engine.POSTGRESQL.fresh();
    WitnessProvider provider =
        provider(database, STATUS + ",'expect-rows':1,'pool':{'size':1,'wait':'250ms'}");
    WitnessRequest request = asking("{'order_id':'o-1'}");
    attested(ask(provider, request), request, APPROVE);
    try (Connection locker =
            DriverManager.getConnection(database.url(), database.user(), database.password());
        Statement statement = locker.createStatement()) {
      locker.setAutoCommit(false);
      statement.execute("lock table orders in access exclusive mode");
      var stuck = provider.ask(request).toCompletableFuture();
      Awaitility.await()
          .until(
              () ->
                  database.count(
                          "select count(*) from pg_locks where not granted and relation ="
                              + " 'orders'::regclass")
                      == 1);
      assertThat(unavailable(ask(provider, request), true))
          .isEqualTo("no connection to the database was free within 250ms");
      locker.rollback();
      attested(stuck.join(), request, APPROVE);
    }
  }

  @Test
  void aDatabaseThatIsDownIsTriedAgain() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Database down =
        new Database("jdbc:postgresql://127.0.0.1:" + port + "/orders", "reader", "secret-pw");
    WitnessProvider provider = provider(down, STATUS + ",'expect-rows':1,'pool':{'wait':'300ms'}");
    assertThat(unavailable(ask(provider, asking("{'order_id':'o-1'}")), true))
        .startsWith("the database cannot be reached")
        .doesNotContain("secret-pw");
  }

  @Test
  void aDatabaseThatSaysNothingIsNotWaitedForLongerThanTheTimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Database database =
          new Database(
              "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/x", "reader", "pw");
      WitnessProvider provider =
          provider(database, STATUS + ",'expect-rows':1", Duration.ofMillis(300));
      String reason = unavailable(ask(provider, asking("{'order_id':'o-1'}")), true);
      assertThat(reason).containsAnyOf("did not answer within 300ms", "cannot be reached");
    }
  }

  @Test
  void whatTheDatabaseDoesNotTakeIsNotRepeatedToAnyone() throws Exception {
    Database database = Engine.POSTGRESQL.fresh();
    WitnessProvider casting =
        provider(
            database,
            "'sql':'select id from orders where number = cast(? as bigint)','parameters':['/n'],"
                + "'expect-rows':1");
    assertThat(deferred(ask(casting, asking("{'n':'very-secret'}"))))
        .isEqualTo("the database does not take the call's arguments (SQLSTATE 22P02)");
    assertThat(deferred(ask(casting, asking("{'n':'a\\u0000b'}")))).contains("SQLSTATE 22");
    WitnessProvider misspelt = provider(database, "'sql':'select x from orders','expect-rows':1");
    assertThat(unavailable(ask(misspelt, asking("{}")), false)).contains("SQLSTATE 42703");
  }

  @Test
  void whatIsNotDisclosedCannotBeLookedUp() throws Exception {
    WitnessProvider provider =
        provider(Engine.H2.fresh(), STATUS + ",'expect':{'amount_minor':{'args':'/amount_minor'}}");
    assertThat(deferred(ask(provider, digestOnly())))
        .isEqualTo("the arguments are not disclosed to it: /order_id");
    assertThat(
            deferred(
                ask(provider, hiding("{'order_id':'o-1','amount_minor':'…'}", "/amount_minor"))))
        .isEqualTo("the arguments are not disclosed to it: /amount_minor");
    assertThat(deferred(ask(provider, asking("{'order_id':'o-1'}"))))
        .isEqualTo("the arguments have nothing at /amount_minor");
  }

  @Test
  void moreThanIsKeptIsNotShown() throws Exception {
    WitnessProvider provider =
        provider(
            Engine.H2.fresh(),
            "'sql':'select repeat(id, 5000) as note from orders','expect-rows':2,'show':['note']");
    WitnessRequest request = asking("{}");
    JsonNode evidence = evidence(attested(ask(provider, request), request, APPROVE));
    assertThat(evidence.has("shown")).isFalse();
    assertThat(evidence.path("shown_left_out").booleanValue()).isTrue();
  }

  @Test
  void aResultOfTooManyCharactersCannotBeTold() throws Exception {
    WitnessProvider provider =
        provider(
            Engine.H2.fresh(),
            "'sql':'select repeat(''x'', 300000) as note','expect-rows':1"
                .replace("''", "\\u0027"));
    WitnessAnswer answer = ask(provider, asking("{}"));
    assertThat(deferred(answer)).contains("more characters than are read");
  }

  /** A function of the database that writes. */
  public static final class Wiping {

    private Wiping() {}

    /** Deletes all orders, and says how many. */
    public static int wipe(Connection connection) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        return statement.executeUpdate("delete from orders");
      }
    }
  }
}
