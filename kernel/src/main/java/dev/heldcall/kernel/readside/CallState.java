package dev.heldcall.kernel.readside;

/** Which list a call is in. The names on the wire and in the index are these in lower case. */
public enum CallState {
  /** Open, evidence wanted. */
  WAITING("waiting"),
  /** Satisfied, not yet taken. */
  READY("ready"),
  /** Dispatched, its outcome unknown. */
  UNKNOWN("unknown"),
  /** Nothing more will happen to it but delivery. */
  ENDED("ended");

  private final String wire;

  CallState(String wire) {
    this.wire = wire;
  }

  /** The spelling in queries and in the index. */
  public String wire() {
    return wire;
  }

  /**
   * The state spelt {@code wire}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static CallState of(String wire) {
    for (CallState state : values()) {
      if (state.wire.equals(wire)) {
        return state;
      }
    }
    throw new IllegalArgumentException("no such state: " + wire);
  }
}
