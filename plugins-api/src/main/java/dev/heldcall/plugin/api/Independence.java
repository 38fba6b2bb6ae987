package dev.heldcall.plugin.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** What a contract asks of a witness beyond holding the class (DESIGN.md, witness rule). */
public enum Independence implements WireName {
  /** Not the proposer, its delegate, or this generation's editor; always on. */
  NOT_PROPOSER("not-proposer"),
  /** No identity counts for two classes of one rule. */
  DISTINCT_IDENTITIES("distinct-identities"),
  /** Not of the proposer's model family. */
  NOT_SAME_MODEL_FAMILY("not-same-model-family");

  private final String wireName;

  Independence(String wireName) {
    this.wireName = wireName;
  }

  @Override
  @JsonValue
  public String wireName() {
    return wireName;
  }

  /**
   * Reads the wire spelling.
   *
   * @throws IllegalArgumentException naming the spellings that exist
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static Independence of(String wireName) {
    return WireName.parse(Independence.class, wireName);
  }
}
