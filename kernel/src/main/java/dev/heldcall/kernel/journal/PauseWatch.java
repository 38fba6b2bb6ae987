package dev.heldcall.kernel.journal;

/**
 * Notices that this process stood still: its beats come regularly, and one that is long overdue
 * tells of a pause. After one everything that this process knows of others may be old, and messages
 * that waited in its sockets look like news; so it is in doubt for a while.
 */
final class PauseWatch {

  private final long longestNanos;
  private final long doubtNanos;
  private long lastBeat;
  private long doubtUntil;

  /**
   * A watch that begins now, without a doubt.
   *
   * @param longestNanos between two beats, if there was no pause
   * @param doubtNanos how long the doubt lasts
   * @param nowNanos a monotonic clock's
   */
  PauseWatch(long longestNanos, long doubtNanos, long nowNanos) {
    this.longestNanos = longestNanos;
    this.doubtNanos = doubtNanos;
    this.lastBeat = nowNanos;
    this.doubtUntil = nowNanos;
  }

  /** Takes a beat, and says whether this process is in doubt. */
  synchronized boolean beat(long nowNanos) {
    if (nowNanos - lastBeat > longestNanos) {
      doubtUntil = nowNanos + doubtNanos;
    }
    lastBeat = Math.max(lastBeat, nowNanos);
    return doubtUntil - nowNanos > 0;
  }
}
