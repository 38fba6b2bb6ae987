package dev.heldcall.gateway.crash;

/** When in a process's life a point is reached, and so how the process is brought to it. */
enum Phase {
  /** The first start on an empty database. */
  FIRST_START("first start"),
  /** While the story is told. */
  STORY("story"),
  /** The start after a crash, up to the story's end: what dies here dies for the second time. */
  RESTART("second crash"),
  /** The end by SIGTERM. */
  STOP("stop");

  private final String words;

  Phase(String words) {
    this.words = words;
  }

  /** As the table spells it. */
  String words() {
    return words;
  }
}
