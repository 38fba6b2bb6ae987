package dev.heldcall.gateway.json;

import dev.heldcall.gateway.error.ProblemDetails;

/**
 * What came of reading something a client sent.
 *
 * @param <T> what was to be read
 */
public sealed interface Decoded<T> {

  /** It was read. */
  record Ok<T>(T value) implements Decoded<T> {}

  /** It could not be read; the client is told so. */
  record Refused<T>(ProblemDetails problem) implements Decoded<T> {}
}
