package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Somebody outside who wants things done and asks, with the same ids, until there is an answer. A
 * crash forgets what was asked, not what is wanted.
 */
class Client {

  private static final long PATIENCE_MILLIS = 2_500;
  private static final long LONGEST_PAUSE_MILLIS = 8_000;

  private final Simulation world;
  private final String name;
  private final List<Wish> open = new ArrayList<>();
  private boolean up = true;
  private int life;

  Client(Simulation world, String name) {
    this.world = world;
    this.name = name;
  }

  /** How a wish is put to a node. */
  interface Asking {
    void ask(Node node, Consumer<CallReply> answered);
  }

  /** Something that a client wants, until it has its answer. */
  private static final class Wish {
    final String what;
    final long wait;
    final Asking asking;
    final Consumer<CallReply> then;
    int tries;
    boolean answered;

    Wish(String what, long wait, Asking asking, Consumer<CallReply> then) {
      this.what = what;
      this.wait = wait;
      this.asking = asking;
      this.then = then;
    }
  }

  /** Wants it, and asks until it has an answer that is not "not now". */
  void want(String what, long wait, Asking asking, Consumer<CallReply> then) {
    if (world.closed()) {
      return;
    }
    Wish wish = new Wish(what, wait, asking, then);
    open.add(wish);
    attempt(wish);
  }

  private void attempt(Wish wish) {
    if (wish.answered || !up) {
      return;
    }
    int attempt = ++wish.tries;
    if (attempt > 1) {
      world.faults().count(Fault.CLIENT_RETRIED);
    }
    int mine = life;
    Node node = world.cluster().any();
    if (node != null) {
      world.trace().note(name, "asks", () -> wish.what + ", " + node.name());
      world
          .network()
          .send(
              null,
              node,
              wish.what,
              () ->
                  wish.asking.ask(
                      node,
                      reply ->
                          world
                              .network()
                              .answer(node, this, wish.what, () -> answered(wish, reply, mine))));
    }
    long pause = Math.min(300L << Math.min(attempt, 5), LONGEST_PAUSE_MILLIS);
    world
        .timeline()
        .after(
            PATIENCE_MILLIS + wish.wait + world.random().nextLong(pause),
            () -> {
              if (mine == life && attempt == wish.tries) {
                attempt(wish);
              }
            });
  }

  private void answered(Wish wish, CallReply reply, int asked) {
    boolean notNow =
        reply.answer() instanceof Answer.Refused refused
            && refused.rejection().problem() == Problem.UNAVAILABLE;
    if (wish.answered || asked != life || notNow) {
      return;
    }
    wish.answered = true;
    open.remove(wish);
    world.trace().note(name, "hears", () -> wish.what + ": " + Tell.answer(reply.answer()));
    wish.then.accept(reply);
  }

  /** Its process ends, and comes back after the time; then it asks again for all that it wants. */
  void crash(long millis) {
    if (!up) {
      return;
    }
    up = false;
    life++;
    world.faults().count(Fault.CLIENT_CRASHED);
    world.trace().note(name, "crashes");
    world
        .timeline()
        .after(
            millis,
            () -> {
              up = true;
              List.copyOf(open).forEach(this::attempt);
            });
  }

  void ifUp(Runnable what) {
    if (up) {
      what.run();
    }
  }

  /** What it still waits for. */
  List<String> open() {
    return open.stream().map(each -> name + ": " + each.what).toList();
  }
}
