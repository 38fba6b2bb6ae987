package dev.heldcall.plugin.api;

import com.fasterxml.jackson.annotation.JsonValue;

/** A value with one spelling on the wire, in configuration and in the journal. */
public interface WireName {

  /** The spelling used outside of Java, in JSON too; never changes once released. */
  @JsonValue
  String wireName();

  /**
   * Finds the constant of {@code type} that is spelt {@code name}.
   *
   * @throws IllegalArgumentException naming the spellings that exist, if there is none
   */
  static <E extends Enum<E> & WireName> E parse(Class<E> type, String name) {
    for (E constant : type.getEnumConstants()) {
      if (constant.wireName().equals(name)) {
        return constant;
      }
    }
    StringBuilder expected = new StringBuilder();
    for (E constant : type.getEnumConstants()) {
      expected.append(expected.isEmpty() ? "" : ", ").append(constant.wireName());
    }
    throw new IllegalArgumentException("expected one of " + expected + ", found '" + name + "'");
  }
}
