package dev.heldcall.kernel.lease;

import java.time.Duration;
import java.time.Instant;

/** The arithmetic of leases: bounds on attempts, deadlines and what counts when. */
public final class LeaseRules {

  private LeaseRules() {}

  /**
   * The settings that leases are granted under.
   *
   * @param settle how long after a deadline a proof of no effect begins to count (rule 2)
   * @param maxAttempts leases of one generation, 1 or more (rule 5)
   * @param dispatchWindow how long after the lease's write an executor may still send (rule 2)
   * @param clientTimeout the deadline of a lease whose tool names none
   */
  public record Terms(
      Duration settle, int maxAttempts, Duration dispatchWindow, Duration clientTimeout) {

    /** 10 s, 3 attempts, 1 s, 5 min. */
    public static final Terms DEFAULT =
        new Terms(Duration.ofSeconds(10), 3, Duration.ofSeconds(1), Duration.ofMinutes(5));

    public Terms {
      if (maxAttempts < 1) {
        throw new IllegalArgumentException("at least one attempt");
      }
    }
  }

  /** The key under which the tool knows every dispatch of a generation. */
  public static String idempotencyKey(String heldId, int generation) {
    return heldId + "." + generation;
  }

  /** Whether a proof of no effect counts by now (rule 2). */
  public static boolean noEffectCounts(Lease lease, Instant now) {
    return !now.isBefore(lease.settlesAt());
  }

  /** Whether the lease has run out. */
  public static boolean overdue(Lease lease, Instant now) {
    return !now.isBefore(lease.deadline());
  }

  /** Whether an idempotent tool still remembers the generation's key (rule 3). */
  public static boolean keyRetained(Lease lease, Duration keyRetention, Instant now) {
    return now.isBefore(lease.firstDispatchAt().plus(keyRetention));
  }
}
