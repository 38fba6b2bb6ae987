package dev.heldcall.kernel.signature;

/** What came of looking for a key by its id. */
public sealed interface KeyLookup {

  /** It is there, and signatures by it are taken in now. */
  record Found(VerificationKey key) implements KeyLookup {}

  /**
   * There is none that a signature could be verified with.
   *
   * @param reason for a person
   */
  record None(String reason) implements KeyLookup {}

  /**
   * The keys could not be read, so nobody knows.
   *
   * @param reason for a person
   */
  record Unreachable(String reason) implements KeyLookup {}
}
