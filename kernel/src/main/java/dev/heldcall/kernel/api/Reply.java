package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.Rejection;

/**
 * What came of a request: a value, or a refusal as a value. A failed future stands for neither: it
 * means that the outcome is not known to the caller.
 *
 * @param <T> what was asked for
 */
public sealed interface Reply<T> {

  /** It was done; what it says is in the journal. */
  record Ok<T>(T value) implements Reply<T> {}

  /** It was refused. */
  record Refused<T>(Rejection rejection) implements Reply<T> {}
}
