package dev.heldcall.gateway.crash;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;

/** What somebody might add to the product without a thought of crashes. The scan must see it. */
final class Careless extends EventSourcedBehavior<String, String, String> {

  private final ActorContext<String> context;
  private final ActorRef<String> client;

  Careless(ActorContext<String> context, ActorRef<String> client) {
    super(PersistenceId.ofUniqueId("careless"));
    this.context = context;
    this.client = client;
  }

  @Override
  public String emptyState() {
    return "";
  }

  @Override
  public CommandHandler<String, String, String> commandHandler() {
    return (state, command) -> Effect().persist(command).thenRun(() -> client.tell(command));
  }

  @Override
  public EventHandler<String, String> eventHandler() {
    return (state, event) -> event;
  }

  void starts(Behavior<String> child) {
    var _ = context.spawnAnonymous(child);
  }

  void writes(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  /** A reference is called where nothing shows that it is. */
  Consumer<String> says() {
    return client::tell;
  }

  /** A way to write that no pattern knows. */
  void writesElsewhere(Connection connection, String sql) throws SQLException {
    connection.setClientInfo("sql", connection.nativeSQL(sql));
  }
}
