package dev.heldcall.kernel.policybook;

/**
 * A book folded from its journal up to a place.
 *
 * @param sequence the sequence number of the last event in it, 0 if there is none
 * @param state what the events up to there make
 */
record Book(long sequence, PolicyBookState state) {

  static final Book EMPTY = new Book(0, PolicyBookState.EMPTY);

  /**
   * The book with one more event.
   *
   * @throws IllegalStateException if it is not the next one: a fold with a hole would be another
   *     policy
   */
  Book with(long eventSequence, PolicyBookEvent event) {
    if (eventSequence != sequence + 1) {
      throw new IllegalStateException(
          "event " + (sequence + 1) + " is missing, found " + eventSequence);
    }
    return new Book(eventSequence, state.apply(event));
  }
}
