package dev.heldcall.witness.git;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a look at a repository found. */
sealed interface Finding {

  /**
   * Every fact holds.
   *
   * @param facts each with what it was found from
   */
  record Holds(ObjectNode facts) implements Finding {}

  /**
   * One does not.
   *
   * @param which says which, for a person
   */
  record IsFalse(String which, ObjectNode facts) implements Finding {}

  /** The commit is not in the repository; it may come. */
  record NotYetThere(String what) implements Finding {}

  /** The repository does not say: it is not whole, or lacks what the facts are about. */
  record CannotTell(String why) implements Finding {}
}
