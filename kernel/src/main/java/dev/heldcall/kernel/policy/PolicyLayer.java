package dev.heldcall.kernel.policy;

/** The layers in the order in which a DEFER climbs them. */
enum PolicyLayer {
  /** What the node's configuration lays down for everyone. */
  FLOOR("floor", false),
  /** The organization's document in the policy book. */
  ORGANIZATION("organization", false),
  /** A project's document; its place, nothing is loaded into it in this release. */
  PROJECT("project", false),
  /** A user's preferences and rules; its place, nothing is loaded into it in this release. */
  USER("user", true),
  /** What the proposal asks for itself. */
  CALL("call", true);

  private final String label;
  private final boolean onlyNarrows;

  PolicyLayer(String label, boolean onlyNarrows) {
    this.label = label;
    this.onlyNarrows = onlyNarrows;
  }

  /** The name in reasons and traces. */
  String label() {
    return label;
  }

  /**
   * Whether it takes from what the layers above decided and never decides alone (the design, rule
   * 9).
   */
  boolean onlyNarrows() {
    return onlyNarrows;
  }
}
