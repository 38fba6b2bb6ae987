package dev.heldcall.witness.database;

import static dev.heldcall.witness.FactRequests.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.tck.OtherSide;
import dev.heldcall.plugin.api.tck.SampleRequests;
import dev.heldcall.plugin.api.tck.WitnessProviderKit;
import dev.heldcall.witness.HttpSides;
import dev.heldcall.witness.database.WitnessedDatabases.Database;
import dev.heldcall.witness.database.WitnessedDatabases.Engine;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The compatibility kit on a query; garbage of a database is two columns of one name. */
class DatabaseKitTest extends WitnessProviderKit {

  private Database database = new Database("", "", "");
  private ServerSocket silent;

  DatabaseKitTest() throws Exception {
    silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @BeforeEach
  void open() throws SQLException {
    database = Engine.H2.fresh();
    database.run(
        "ALTER TABLE orders ALTER COLUMN note VARCHAR(1000000)",
        "UPDATE orders SET note = REPEAT('y', "
            + 2 * SampleRequests.MAX_ANSWER_BYTES
            + ") WHERE id = 'o-1'");
  }

  @AfterEach
  void close() throws Exception {
    silent.close();
  }

  @Override
  protected WitnessProviderType type() {
    return new DatabaseType();
  }

  @Override
  protected Optional<ObjectNode> settings(OtherSide side) {
    ObjectNode settings =
        (ObjectNode)
            json(
                "{'parameters':['/order_id'],'expect-rows':1,'pool':{'wait':'400ms'},"
                    + "'sql':'select status from orders where id = ?'}");
    settings
        .put("url", database.url())
        .put("user", database.user())
        .put("password", database.password());
    switch (side) {
      case WELL -> {}
      case REFUSES -> settings.put("password", "an0ther-pw");
      case HANGS -> settings.put("url", postgres(silent.getLocalPort()));
      case GARBLES -> settings.put("sql", "select status, id as status from orders where id = ?");
      case FLOODS -> settings.put("sql", "select note from orders where id = ?");
      case ABSENT -> settings.put("url", postgres(HttpSides.closedPort()));
    }
    return Optional.of(settings);
  }

  private static String postgres(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/orders";
  }

  @Override
  protected JsonNode args() {
    return json("{'order_id':'o-1'}");
  }

  @Override
  protected Map<String, JsonNode> mistakes() {
    return Map.of(
        "url", json("'orders'"),
        "sql", json("7"),
        "parameters", json("['order_id']"),
        "max-rows", json("0"),
        "pool", json("{'size':0}"));
  }

  @Override
  protected List<String> secrets() {
    return List.of("secret-pw", "an0ther-pw");
  }
}
