package dev.heldcall.kernel.execute;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.testkit.typed.javadsl.ManualTime;

/** A clock that goes along with the test kit's manual timers. */
final class ManualClock extends Clock {

  private final AtomicReference<Instant> now;
  private final ManualTime timers;

  ManualClock(Instant start, ManualTime timers) {
    this.now = new AtomicReference<>(start);
    this.timers = timers;
  }

  void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
    timers.timePasses(time);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("only UTC");
  }
}
