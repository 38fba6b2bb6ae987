package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.lease.Lease;

/**
 * What the world does under one lease.
 *
 * @param lease the lease
 * @param hand who has it
 * @param inFlight whether a request is on its way whose effect may still come
 * @param report what the executor has reported and nobody has taken in yet
 */
record Flight(Lease lease, Hand hand, boolean inFlight, Report report) {

  /** Who may act under the lease. */
  enum Hand {
    /** An executor that has not sent yet. */
    READY,
    /** An executor that has sent and waits for the answer. */
    WAITING,
    /** An executor that has not sent yet, of a process that is believed dead. */
    ZOMBIE,
    /** A client's worker. */
    CLIENT,
    /** Nobody any more. */
    NOBODY
  }

  /** What an executor says. */
  enum Report {
    NONE,
    NO_EFFECT,
    UNKNOWN,
    SUCCEEDED,
    FAILED
  }

  Flight to(Hand other, boolean flying, Report said) {
    return new Flight(lease, other, flying, said);
  }

  Flight saying(Report said) {
    return new Flight(lease, hand, inFlight, said);
  }
}
