package dev.heldcall.kernel.api;

/** The policy in force could not be read now; asked again, it may be. */
final class PolicyUnreachableException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  PolicyUnreachableException(String why) {
    super(why);
  }
}
