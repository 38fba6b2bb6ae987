package dev.heldcall.gateway.server;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the bytes of bodies that are being read or worked on at one time. A body is a small part
 * of what is made of it: a byte can become thirty in memory as a tree, which is copied, written and
 * kept by its call for a moment. Without the bound a few hundred bodies of the greatest size would
 * be more than a small heap has.
 */
final class BodyBudget {

  /** Bytes of heap for each byte of bodies under way. */
  private static final long HEAP_PER_BYTE = 128;

  private final long total;
  private final AtomicLong taken = new AtomicLong();

  BodyBudget(long total) {
    this.total = total;
  }

  /** What this process' heap allows, and two bodies of the greatest size at the least. */
  static BodyBudget ofHeap(long maxBodyBytes) {
    return new BodyBudget(
        Math.max(2 * maxBodyBytes, Runtime.getRuntime().maxMemory() / HEAP_PER_BYTE));
  }

  /** Takes all of it or nothing; whoever takes gives back. */
  boolean take(long bytes) {
    if (taken.addAndGet(bytes) <= total) {
      return true;
    }
    taken.addAndGet(-bytes);
    return false;
  }

  void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }
}
