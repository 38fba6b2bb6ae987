package dev.heldcall.kernel.execute;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The executor's own window to send, for those who simulate an executor. */
public final class DispatchWindows {

  private DispatchWindows() {}

  /**
   * A window that opened when the lease's write returned.
   *
   * @return why nothing may be sent at the moment it is asked, or null while something may
   */
  public static Supplier<@Nullable String> objection(
      long persistedNanos, Duration length, LongSupplier nanoTime) {
    return new DispatchWindow(persistedNanos, length, nanoTime)::objection;
  }
}
