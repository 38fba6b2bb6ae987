package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.lease.LeaseRules;
import java.time.Duration;
import java.time.Instant;

/** Asks the tool what came of a dispatch until it is known, as {@code ReadBackActor} does. */
final class ReadingBack implements CallWork.Child {

  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final long LONGEST_PAUSE_MILLIS = 5_000;
  private static final long GIVE_UP_MILLIS = 6_000;

  private final Simulation world;
  private final Node node;
  private final CallShell shell;
  private final Lease lease;
  private long pause = FIRST_PAUSE_MILLIS;
  private Instant askedAt = Instant.EPOCH;
  private int question;
  private boolean stopped;

  ReadingBack(Simulation world, Node node, CallShell shell, Lease lease) {
    this.world = world;
    this.node = node;
    this.shell = shell;
    this.lease = lease;
    after(0, this::ask);
  }

  private void ask() {
    question++;
    int asked = question;
    askedAt = node.clock();
    after(GIVE_UP_MILLIS, () -> answered(asked, new ReadBackReport.CannotTell("it took too long")));
    world.tools().readBack(lease, report -> after(0, () -> answered(asked, report)));
  }

  private void answered(int answers, ReadBackReport report) {
    if (answers != question) {
      return;
    }
    question++;
    next(report);
    Instant counted = world.planted(Plant.NO_EFFECT_TOO_EARLY) ? lease.settlesAt() : askedAt;
    shell.receive(new CallMessage.ReadBackCame(lease.leaseId(), counted, report));
  }

  private void next(ReadBackReport report) {
    switch (report) {
      case ReadBackReport.Effect effect -> stopped = true;
      case ReadBackReport.NoEffect noEffect -> {
        if (LeaseRules.noEffectCounts(lease, askedAt)) {
          stopped = true;
        } else {
          askAfter(Duration.between(node.clock(), lease.settlesAt()).toMillis());
        }
      }
      case ReadBackReport.CannotTell cannotTell -> {
        long now = pause;
        pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
        askAfter(now);
      }
    }
  }

  private void askAfter(long millis) {
    after(Math.max(0, millis) + 1, this::ask);
  }

  @Override
  public void stop(boolean heard) {
    stopped = true;
  }

  private void after(long millis, Runnable what) {
    world
        .timeline()
        .after(
            millis,
            node,
            () -> {
              if (!stopped) {
                what.run();
              }
            });
  }
}
