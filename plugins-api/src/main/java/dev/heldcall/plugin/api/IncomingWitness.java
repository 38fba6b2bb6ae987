package dev.heldcall.plugin.api;

import java.util.function.Function;

/** What an incoming message means. */
public sealed interface IncomingWitness {

  /** Nothing for the kernel: refused, a handshake, or of no interest. */
  record Answered(IncomingReply reply) implements IncomingWitness {}

  /**
   * Somebody's word on a call.
   *
   * @param heldId the call
   * @param witness who said it, as the provider established by the message's signature and its
   *     configuration; the kernel takes classes and roles from its own roster, and refuses whom it
   *     does not know
   * @param attestation the word, bound as the sender bound it
   * @param reply answers the sender by what became of it
   */
  record Vote(
      String heldId,
      PrincipalRef witness,
      Attestation attestation,
      Function<VoteOutcome, IncomingReply> reply)
      implements IncomingWitness {}

  /**
   * Somebody who may not tried to decide a call: put on record there, and answered.
   *
   * @param reason who and why not, for the record
   */
  record Refused(String heldId, String reason, IncomingReply reply) implements IncomingWitness {}

  /** Look again at the requests that are out under a reference. */
  record Poke(String reference, IncomingReply reply) implements IncomingWitness {}

  /**
   * What became of a vote.
   *
   * @param reason for a person
   */
  record VoteOutcome(Disposition disposition, String reason) {}

  /** The kinds of it (API.md, section 3). */
  enum Disposition {
    /** It is taken in. */
    ACCEPTED,
    /** It was taken in before. */
    DUPLICATE,
    /** It is about something that no longer stands. */
    STALE,
    /** It does not count. */
    INVALID,
    /** Not known yet: the sender may try again. */
    UNAVAILABLE
  }
}
