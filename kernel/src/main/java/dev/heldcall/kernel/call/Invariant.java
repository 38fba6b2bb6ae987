package dev.heldcall.kernel.call;

/** The design's invariants by number and name; those without a number are its rules on time. */
enum Invariant {
  WITNESSED_EFFECT("1 witnessed effect"),
  AT_MOST_ONCE("2 at most once"),
  BOUND_EVIDENCE("3 bound evidence"),
  APPEND_ONCE("4 append once"),
  CLEAN_SLATE("5 new generation, clean slate"),
  NO_EFFECT_AFTER_END("6 no effect after an end"),
  AMBIGUITY("7 ambiguity is a state"),
  FAIL_CLOSED("9 fail closed"),
  ONE_RESULT("10 one result"),
  QUARANTINE("11 quarantine holds"),
  TIME("time only grows"),
  NEVER_UNDONE("facts are never undone");

  private final String text;

  Invariant(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
