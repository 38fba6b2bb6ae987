package dev.heldcall.kernel.api;

import org.jspecify.annotations.Nullable;

/**
 * What to list (API.md, section 5).
 *
 * @param state waiting, ready, unknown, ended or all
 * @param witnessClass only calls that wait for this class, or null
 * @param sessionId only this session, or null
 * @param tool only this tool, or null
 * @param cursor where to go on, or null for the first page
 * @param limit 1 to 500
 */
public record InboxQuery(
    State state,
    @Nullable String witnessClass,
    @Nullable String sessionId,
    @Nullable String tool,
    @Nullable String cursor,
    int limit) {

  /** What part of the calls. */
  public enum State {
    /** Open, evidence wanted. */
    WAITING,
    /** Ready to run, or running. */
    READY,
    /** Dispatched, outcome unknown. */
    UNKNOWN,
    /** Concluded. */
    ENDED,
    /** All of them. */
    ALL
  }
}
