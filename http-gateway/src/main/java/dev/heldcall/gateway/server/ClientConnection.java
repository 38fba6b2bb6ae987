package dev.heldcall.gateway.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One client's connection, as far as its requests care: whether it is still there. Requests of a
 * connection come one after another, and each has a signal of its own, so that a long connection
 * keeps nothing of the requests it has had.
 */
final class ClientConnection {

  private CompletableFuture<Void> current = new CompletableFuture<>();
  private boolean lost;

  /** Begins a request; the stage completes when the connection is gone. */
  synchronized CompletionStage<Void> begin() {
    current = new CompletableFuture<>();
    if (lost) {
      current.complete(null);
    }
    return current;
  }

  /** The connection is gone. */
  void gone() {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      lost = true;
      waiting = current;
    }
    waiting.complete(null);
  }
}
