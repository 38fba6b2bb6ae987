package dev.heldcall.kernel.witness;

/** Whether a key that evidence was signed with may still be relied on. */
public enum KeyStanding {
  /** Its owner has it. */
  STANDS,
  /** It was revoked, or is not among its owner's keys any more. */
  REVOKED,
  /** Its owner's keys could not be read lately. */
  UNKNOWN
}
