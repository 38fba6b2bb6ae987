package dev.heldcall.gateway.cli.bench;

import java.util.Arrays;

/** Durations in nanoseconds, of one thread or of several put together. */
final class Samples {

  private long[] values = new long[1024];
  private int count;

  void add(long nanos) {
    if (count == values.length) {
      values = Arrays.copyOf(values, count * 2);
    }
    values[count++] = nanos;
  }

  void addAll(Samples others) {
    for (int i = 0; i < others.count; i++) {
      add(others.values[i]);
    }
  }

  int count() {
    return count;
  }

  /** In milliseconds, rounded to hundredths; 0 of nothing. */
  double percentile(double percent) {
    if (count == 0) {
      return 0;
    }
    long[] sorted = Arrays.copyOf(values, count);
    Arrays.sort(sorted);
    int at = (int) Math.min(count - 1L, Math.round(Math.ceil(count * percent / 100)) - 1);
    return Math.round(sorted[Math.max(0, at)] / 10_000.0) / 100.0;
  }
}
