package dev.heldcall.gateway.crash;

/** What a process does at a point where it may die. */
enum Kind {
  /** Something is written down: by an entity, in a table, or in the embedded database's files. */
  PERSIST("persist"),
  /** Something leaves for a tool or the policy book, or comes back. */
  EFFECT("effect"),
  /** An actor, an entity type or a daemon is started. */
  CHILD("child"),
  /** Somebody is told something. */
  ANSWER("answer"),
  /** The read side takes a step: the index, the mailbox, an offset, a call that is woken. */
  PROJECTION("projection"),
  /** An entity comes back from its journal. */
  RECOVERY("recovery");

  private final String word;

  Kind(String word) {
    this.word = word;
  }

  /** What it is, as the table says it. */
  String sentence() {
    return switch (this) {
      case PERSIST ->
          "Something is written down: by an entity, in a table, in the embedded database's files.";
      case EFFECT -> "Something leaves for a tool or the policy book, or comes back.";
      case CHILD -> "An actor, an entity type or a daemon is started.";
      case ANSWER -> "Somebody is told something: a client, an entity, a child.";
      case PROJECTION ->
          "The read side takes a step: the index, the mailbox, an offset, a call that is woken.";
      case RECOVERY -> "An entity comes back from its journal.";
    };
  }

  /** As the table spells it. */
  String word() {
    return word;
  }
}
