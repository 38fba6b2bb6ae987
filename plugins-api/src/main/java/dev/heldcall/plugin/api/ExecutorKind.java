package dev.heldcall.plugin.api;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** Who runs a tool (CONFIG.md, tools). */
public enum ExecutorKind implements WireName {
  /** The kernel sends an HTTP request. */
  HTTP("http"),
  /** A worker takes a lease and reports the outcome. */
  CLIENT("client"),
  /** An MCP server; not in this release. */
  MCP("mcp"),
  /** The kernel itself, for its own tools and for boundaries other than tool. */
  KERNEL("kernel");

  private final String wireName;

  ExecutorKind(String wireName) {
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
  public static ExecutorKind of(String wireName) {
    return WireName.parse(ExecutorKind.class, wireName);
  }
}
