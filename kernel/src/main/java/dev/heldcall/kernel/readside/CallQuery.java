package dev.heldcall.kernel.readside;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A list of calls that somebody asks for.
 *
 * @param audience who asks
 * @param state one state, or null for all
 * @param classes only calls that wait for one of these classes; empty for no such condition
 * @param sessionId only this session's calls, as the proposer named it, or null
 * @param tool only this tool's calls, or null
 * @param principal only calls proposed under this id, or null
 * @param cursor where an earlier page ended, or null
 * @param limit the most rows to answer, 1 to {@value #MAX_LIMIT}
 */
public record CallQuery(
    Audience audience,
    @Nullable CallState state,
    Set<String> classes,
    @Nullable String sessionId,
    @Nullable String tool,
    @Nullable String principal,
    @Nullable String cursor,
    int limit) {

  /** The longest page. */
  public static final int MAX_LIMIT = 500;

  /**
   * @throws IllegalArgumentException if the limit is out of bounds
   */
  public CallQuery {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllegalArgumentException("limit must be 1 to " + MAX_LIMIT + ", not " + limit);
    }
    classes = Set.copyOf(classes);
  }

  /** Everything that the audience may see. */
  public static CallQuery everything(Audience audience, int limit) {
    return new CallQuery(audience, null, Set.of(), null, null, null, null, limit);
  }

  /** The same list, of one state. */
  public CallQuery in(@Nullable CallState newState) {
    return new CallQuery(audience, newState, classes, sessionId, tool, principal, cursor, limit);
  }

  /** The same list, from where a page ended. */
  public CallQuery after(@Nullable String newCursor) {
    return new CallQuery(audience, state, classes, sessionId, tool, principal, newCursor, limit);
  }
}
