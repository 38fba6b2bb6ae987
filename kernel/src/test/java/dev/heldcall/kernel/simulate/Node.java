package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.PolicyInForce;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One node: its process, its clock, what it holds in memory. */
final class Node {

  private final int id;
  private final String name;
  private final Timeline timeline;
  private final Map<String, CallShell> calls = new LinkedHashMap<>();
  private final Map<String, SessionShell> sessions = new LinkedHashMap<>();
  private int process;
  private boolean alive = true;
  private long downSince;
  private long pausedUntil;
  private long pausedSince;
  private long offsetMillis;
  private @Nullable PolicyInForce known;

  Node(int id, Timeline timeline) {
    this.id = id;
    this.name = "node-" + id;
    this.timeline = timeline;
  }

  int id() {
    return id;
  }

  String name() {
    return name;
  }

  /** Which of the node's processes this is; what was planned in an older one never happens. */
  int process() {
    return process;
  }

  boolean alive() {
    return alive;
  }

  long pausedUntil() {
    return pausedUntil;
  }

  /** Since when others miss it, or -1 if they do not. */
  long missedSince() {
    if (!alive) {
      return downSince;
    }
    return pausedUntil > timeline.now() ? pausedSince : -1;
  }

  /** What the node's clock shows. */
  Instant clock() {
    return CoreFixtures.START.plusMillis(timeline.now() + offsetMillis);
  }

  /** The monotonic clock of its process, which no jump touches. */
  long nanos() {
    return timeline.now() * 1_000_000L;
  }

  void offset(long millis) {
    offsetMillis = millis;
  }

  void pause(long millis) {
    pausedSince = timeline.now();
    pausedUntil = timeline.now() + millis;
  }

  void resume() {
    pausedUntil = timeline.now();
  }

  void crash() {
    alive = false;
    downSince = timeline.now();
    pausedUntil = 0;
    process++;
    calls.clear();
    sessions.clear();
    known = null;
  }

  void restart() {
    alive = true;
  }

  Map<String, CallShell> calls() {
    return calls;
  }

  Map<String, SessionShell> sessions() {
    return sessions;
  }

  @Nullable PolicyInForce known() {
    return known;
  }

  void know(PolicyInForce policy) {
    known = policy;
  }
}
