package dev.heldcall.kernel.call;

import dev.heldcall.kernel.lease.Lease;

/** What is said to whoever gave the command, once the events are in the journal. */
public sealed interface Answer {

  /** The call as it stands after the events. */
  record Stands() implements Answer {}

  /** An attestation was taken, or had been before. */
  record Attested(boolean duplicate) implements Answer {}

  /** A client lease. */
  record Leased(Lease lease) implements Answer {}

  /** No. */
  record Refused(Rejection rejection) implements Answer {}

  /** Ask again with a policy that was read after the command came. */
  record FreshPolicyNeeded() implements Answer {}
}
