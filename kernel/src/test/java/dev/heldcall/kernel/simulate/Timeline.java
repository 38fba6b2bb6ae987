package dev.heldcall.kernel.simulate;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, and what happens when. What happens at the same millisecond happens in the order in
 * which it was planned.
 */
final class Timeline {

  private final PriorityQueue<Task> tasks = new PriorityQueue<>(256);
  private long now;
  private long planned;
  private long steps;

  /**
   * Something that will happen.
   *
   * @param node where, or null if it is nowhere in particular
   * @param process the node's process that it belongs to: it dies with it, and waits while the
   *     process is paused
   */
  private record Task(long at, long order, @Nullable Node node, int process, Runnable what)
      implements Comparable<Task> {
    @Override
    public int compareTo(Task other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  /** Milliseconds since the start. */
  long now() {
    return now;
  }

  /** How much has happened. */
  long steps() {
    return steps;
  }

  /** Plans something in the world. */
  void after(long millis, Runnable what) {
    tasks.add(new Task(now + Math.max(0, millis), planned++, null, 0, what));
  }

  /** Plans something in the node's process. */
  void after(long millis, Node node, Runnable what) {
    tasks.add(new Task(now + Math.max(0, millis), planned++, node, node.process(), what));
  }

  /** Lets the next thing happen; false if nothing is planned up to the time. */
  boolean step(long until) {
    while (true) {
      Task next = tasks.peek();
      if (next == null || next.at() > until) {
        now = Math.max(now, until);
        return false;
      }
      tasks.poll();
      now = next.at();
      Node node = next.node();
      if (node == null) {
        return happen(next);
      }
      if (!node.alive() || node.process() != next.process()) {
        continue;
      }
      if (node.pausedUntil() > now) {
        tasks.add(new Task(node.pausedUntil(), next.order(), node, next.process(), next.what()));
        continue;
      }
      return happen(next);
    }
  }

  private boolean happen(Task next) {
    steps++;
    next.what().run();
    return true;
  }
}
