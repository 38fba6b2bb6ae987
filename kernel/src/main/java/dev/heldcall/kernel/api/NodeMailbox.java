package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.SessionKey;
import dev.heldcall.kernel.deliver.MailboxWriter;
import dev.heldcall.kernel.entity.HeldCallRuntime;
import dev.heldcall.kernel.readside.MailboxBell;
import dev.heldcall.kernel.store.JdbcExecutor;
import dev.heldcall.kernel.store.Store;
import java.util.concurrent.CompletionStage;

/** The mailboxes as this node reaches them. */
final class NodeMailbox implements HeldCallRuntime.MailboxPort {

  private final Store store;
  private final JdbcExecutor jdbc;
  private final MailboxWriter writer;
  private final MailboxBell bell;

  NodeMailbox(Store store, JdbcExecutor jdbc, MailboxWriter writer, MailboxBell bell) {
    this.store = store;
    this.jdbc = jdbc;
    this.writer = writer;
    this.bell = bell;
  }

  @Override
  public CompletionStage<?> offer(HeldCallFacts facts) {
    return jdbc.ask(
            () ->
                store.inTransaction(
                    connection -> {
                      writer.offer(connection, facts);
                      return true;
                    }))
        .thenAccept(done -> bell.ring(SessionKey.of(facts.requireSpec())));
  }

  @Override
  public CompletionStage<?> acknowledged(HeldCallFacts facts) {
    return jdbc.ask(
        () ->
            store.inTransaction(
                connection -> {
                  writer.offer(connection, facts);
                  writer.acknowledged(connection, facts);
                  return true;
                }));
  }
}
