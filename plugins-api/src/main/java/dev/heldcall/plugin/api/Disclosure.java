package dev.heldcall.plugin.api;

/** How much of a call's arguments somebody sees; the digest is over the whole in every case. */
public enum Disclosure implements WireName {
  /** All of them. */
  FULL("full"),
  /**
   * All but the fields that are declared to be redacted; without declared fields only their kinds.
   */
  SUMMARY("summary"),
  /** The digest only. */
  DIGEST("digest");

  private final String wireName;

  Disclosure(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }

  /** The one that shows less. */
  public Disclosure and(Disclosure other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
