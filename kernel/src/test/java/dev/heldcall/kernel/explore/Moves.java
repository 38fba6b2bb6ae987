package dev.heldcall.kernel.explore;

/** A part of what can happen next. */
interface Moves {

  /** Makes each of the moves that the situation has. */
  void from(Situation at, Fan fan);
}
