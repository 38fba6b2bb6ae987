package dev.heldcall.gateway.cli.bank;

/** What became of a request's permit. */
public sealed interface PermitCheck {

  /**
   * The request is what a node released, now.
   *
   * @param permit what it says
   */
  record Accepted(Permit permit) implements PermitCheck {}

  /**
   * The request is not to be run.
   *
   * @param reason why, in words
   */
  record Refused(String reason) implements PermitCheck {}

  /**
   * It cannot be told: the issuer's keys cannot be read now.
   *
   * @param reason why, in words
   */
  record Unverifiable(String reason) implements PermitCheck {}
}
