package dev.heldcall.kernel.simulate;

/** A call's timers: one of each name at a time, as the entity has them. */
final class ShellTimers {

  private final Simulation world;
  private final Node node;
  private final CallShell shell;
  private int due;
  private int retry;
  private long currentAt;

  ShellTimers(Simulation world, Node node, CallShell shell) {
    this.world = world;
    this.node = node;
    this.shell = shell;
  }

  void dueAfter(long millis) {
    int timer = ++due;
    after(
        millis,
        () -> {
          if (timer == due) {
            shell.receive(new CallMessage.Tick());
          }
        });
  }

  void retryAfter(long millis) {
    int timer = ++retry;
    after(
        millis,
        () -> {
          if (timer == retry) {
            shell.receive(new CallMessage.Tick());
          }
        });
  }

  void leaveAfter(long millis) {
    after(millis, () -> shell.receive(new CallMessage.Leave()));
  }

  void waitOverAfter(long millis, long waiter) {
    after(millis, () -> shell.receive(new CallMessage.WaitOver(waiter)));
  }

  /** What is in memory was read from the journal, or written to it, just now. */
  void current() {
    currentAt = world.timeline().now();
  }

  /** How long ago that was, in milliseconds. */
  long sinceCurrent() {
    return world.timeline().now() - currentAt;
  }

  /** Says so when nothing was read or written for the time, however often the call was asked. */
  void idleAfter(long millis) {
    current();
    lookAfter(millis, millis);
  }

  private void lookAfter(long millis, long idle) {
    after(
        millis,
        () -> {
          long rest = currentAt + idle - world.timeline().now();
          if (rest > 0) {
            lookAfter(rest, idle);
          } else {
            shell.receive(new CallMessage.Idle());
            lookAfter(idle, idle);
          }
        });
  }

  private void after(long millis, Runnable what) {
    world
        .timeline()
        .after(
            millis,
            node,
            () -> {
              if (node.calls().get(shell.heldId()) == shell) {
                what.run();
              }
            });
  }
}
