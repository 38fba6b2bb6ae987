package dev.heldcall.gateway.server;

import dev.heldcall.gateway.route.Load;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Bounds the work under way on this node, so that more is refused at the door: the journal's own
 * buffer must never fill up. Writes have a bound, and all that reads or waits has another.
 */
final class Admission {

  /** One permit, given back once. */
  private static final class Permit {
    private final Semaphore bound;
    private final AtomicBoolean returned = new AtomicBoolean();

    Permit(Semaphore bound) {
      this.bound = bound;
    }

    void giveBack() {
      if (returned.compareAndSet(false, true)) {
        bound.release();
      }
    }
  }

  /** The permits of one request. */
  static final class Ticket {
    private final List<Permit> all;
    private final List<Permit> writes;

    private Ticket(List<Permit> all, List<Permit> writes) {
      this.all = all;
      this.writes = writes;
    }

    /** The request's writes are done; it only waits by now. */
    void parked() {
      writes.forEach(Permit::giveBack);
    }

    /** The request is answered. */
    void close() {
      all.forEach(Permit::giveBack);
    }
  }

  private final Semaphore writes;
  private final Semaphore waits;

  Admission(int maxWrites, int maxWaits) {
    writes = new Semaphore(maxWrites);
    waits = new Semaphore(maxWaits);
  }

  /** Takes what the load asks for, all of it or nothing; empty if the node is full. */
  Optional<Ticket> enter(Load load) {
    return switch (load) {
      case NONE -> Optional.of(new Ticket(List.of(), List.of()));
      case READ -> take(waits).map(wait -> new Ticket(List.of(wait), List.of()));
      case WRITE -> take(writes).map(write -> new Ticket(List.of(write), List.of()));
      case WAITING_WRITE -> enterBoth();
    };
  }

  private Optional<Ticket> enterBoth() {
    Optional<Permit> wait = take(waits);
    if (wait.isEmpty()) {
      return Optional.empty();
    }
    Optional<Permit> write = take(writes);
    if (write.isEmpty()) {
      wait.get().giveBack();
      return Optional.empty();
    }
    return Optional.of(new Ticket(List.of(wait.get(), write.get()), List.of(write.get())));
  }

  private static Optional<Permit> take(Semaphore bound) {
    return bound.tryAcquire() ? Optional.of(new Permit(bound)) : Optional.empty();
  }
}
