package dev.heldcall.kernel.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What happened, step by step: always as a digest, so that two runs can be compared, and as text
 * when a seed is replayed. Making text costs more than the simulation itself.
 */
final class Trace {

  private final Timeline timeline;
  private final @Nullable List<String> lines;
  private long digest = 1;

  Trace(Timeline timeline, boolean text) {
    this.timeline = timeline;
    this.lines = text ? new ArrayList<>() : null;
  }

  /** Something happened to somebody. */
  void note(String who, String what) {
    note(who, what, () -> "");
  }

  /** Something happened to somebody; the detail is asked for only if text is wanted. */
  void note(String who, String what, Supplier<String> detail) {
    mix(timeline.now());
    mix(who.hashCode());
    mix(what.hashCode());
    if (lines != null) {
      lines.add("%8.3f s  %-10s %s %s".formatted(timeline.now() / 1000.0, who, what, detail.get()));
    }
  }

  private void mix(long value) {
    digest = digest * 0x9E3779B97F4A7C15L + value;
    digest ^= digest >>> 29;
  }

  /** Equal for runs that went the same way. */
  long digest() {
    return digest;
  }

  /** All of it, oldest first; empty unless text was asked for. */
  List<String> lines() {
    return lines == null ? List.of() : List.copyOf(lines);
  }
}
