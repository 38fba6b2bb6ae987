package dev.heldcall.gateway.route;

/** What a request costs, and so which bound of the node it counts for. */
public enum Load {
  /** Nothing: health checks are answered when all else is full. */
  NONE,
  /** A read, possibly a long one. */
  READ,
  /** A write. */
  WRITE,
  /** A write that may then wait for something. */
  WAITING_WRITE
}
