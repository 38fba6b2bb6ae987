package dev.heldcall.kernel.execute;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The time in which a dispatch may leave (the design, rule 2). A process that was paused after its
 * lease was written finds the window passed and sends nothing, because by then others may have
 * acted on the lease.
 *
 * @param persistedNanos the monotonic clock when the lease's write returned
 * @param length how long the window is open
 * @param nanoTime the monotonic clock
 */
record DispatchWindow(long persistedNanos, Duration length, LongSupplier nanoTime) {

  /** What is left of it; zero or less once it passed. */
  Duration rest() {
    return length.minusNanos(nanoTime.getAsLong() - persistedNanos);
  }

  /** Why nothing may be sent now, or null while something may. */
  @Nullable String objection() {
    Duration rest = rest();
    return rest.isPositive()
        ? null
        : "the lease was written more than " + length.toMillis() + " ms ago";
  }
}
