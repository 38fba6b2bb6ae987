package dev.heldcall.kernel.route;

import dev.heldcall.plugin.api.Digest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What the database knows of a route. It authorizes nothing: it only keeps a witness from being
 * asked twice, and tells people how the asking stands.
 *
 * @param key the route
 * @param org the call's organization
 * @param tool the call's tool
 * @param contractDigest the contract that is asked about; another one makes a new round
 * @param state how it stands
 * @param round counts requests that replace one another, from 1
 * @param attempts how often it was tried in this round
 * @param reference what the other side names the request by, or null
 * @param askedAt when this round first went out, or null
 * @param nextAt when there is something to do, or null if nothing
 * @param reminded how many reminders went out in this round
 * @param note how it stands, for a person, or null
 * @param updatedAt when this was written
 * @param version counts writes: who writes over another version than it read writes nothing
 */
public record RouteRecord(
    RouteKey key,
    String org,
    String tool,
    Digest contractDigest,
    RouteState state,
    int round,
    int attempts,
    @Nullable String reference,
    @Nullable Instant askedAt,
    @Nullable Instant nextAt,
    int reminded,
    @Nullable String note,
    Instant updatedAt,
    long version) {

  /** The longest note that is kept; of a longer one the beginning is. */
  public static final int MAX_NOTE = 500;

  /** The longest reference that is kept. */
  public static final int MAX_REFERENCE = 512;

  public RouteRecord {
    if (reference != null && !fits(reference)) {
      throw new IllegalArgumentException("no reference: 1 to " + MAX_REFERENCE + " of plain text");
    }
    note = note == null ? null : plain(note);
  }

  /** Whether a text can be kept as a reference. */
  static boolean fits(String reference) {
    return !reference.isEmpty()
        && reference.length() <= MAX_REFERENCE
        && reference.codePoints().noneMatch(RouteRecord::unprintable);
  }

  /** What comes from outside may hold what no database keeps, and be of any length. */
  private static String plain(String text) {
    StringBuilder kept = new StringBuilder();
    text.codePoints()
        .limit(MAX_NOTE + 1L)
        .map(each -> unprintable(each) ? '?' : each)
        .forEach(kept::appendCodePoint);
    if (kept.length() <= MAX_NOTE) {
      return kept.toString();
    }
    int end = Character.isHighSurrogate(kept.charAt(MAX_NOTE - 1)) ? MAX_NOTE - 1 : MAX_NOTE;
    return kept.substring(0, end) + "…";
  }

  private static boolean unprintable(int codePoint) {
    return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
  }

  /** A route that shall be asked. */
  public static RouteRecord wanted(
      RouteKey key, String org, String tool, Digest contractDigest, Instant now) {
    return new RouteRecord(
        key, org, tool, contractDigest, RouteState.WANTED, 1, 0, null, null, now, 0, null, now, 0);
  }

  /** The id of the request in this round. */
  public String requestId() {
    String first = key.heldId() + "." + key.generation() + "." + key.provider();
    return round == 1 ? first : first + ".r" + round;
  }

  /** The route, taken back. */
  public RouteRecord withdrawn(String why) {
    return in(RouteState.WITHDRAWN, why, null);
  }

  /** The route, to be taken back later. */
  public RouteRecord withdrawAt(Instant later) {
    return triedAgain().in(state, note, later);
  }

  /** The route in another state. */
  RouteRecord in(RouteState newState, @Nullable String newNote, @Nullable Instant newNextAt) {
    return new RouteRecord(
        key,
        org,
        tool,
        contractDigest,
        newState,
        round,
        attempts,
        reference,
        askedAt,
        newNextAt,
        reminded,
        newNote,
        updatedAt,
        version);
  }

  /** The route, about to be asked. */
  RouteRecord asking(Instant now, Instant again) {
    return new RouteRecord(
        key,
        org,
        tool,
        contractDigest,
        RouteState.ASKING,
        round,
        attempts + 1,
        reference,
        askedAt == null ? now : askedAt,
        again,
        reminded,
        note,
        updatedAt,
        version);
  }

  /** The route with what the other side names it by. */
  RouteRecord under(@Nullable String newReference) {
    return new RouteRecord(
        key,
        org,
        tool,
        contractDigest,
        state,
        round,
        attempts,
        newReference,
        askedAt,
        nextAt,
        reminded,
        note,
        updatedAt,
        version);
  }

  /** The route after one more reminder. */
  RouteRecord remindedOnce() {
    return new RouteRecord(
        key,
        org,
        tool,
        contractDigest,
        state,
        round,
        attempts,
        reference,
        askedAt,
        nextAt,
        reminded + 1,
        note,
        updatedAt,
        version);
  }

  /** The route after a try that failed. */
  RouteRecord triedAgain() {
    return new RouteRecord(
        key,
        org,
        tool,
        contractDigest,
        state,
        round,
        attempts + 1,
        reference,
        askedAt,
        nextAt,
        reminded,
        note,
        updatedAt,
        version);
  }

  /** A new request in place of this one. */
  RouteRecord nextRound(String newTool, Digest newContract, Instant now) {
    return new RouteRecord(
        key,
        org,
        newTool,
        newContract,
        RouteState.WANTED,
        round + 1,
        0,
        null,
        null,
        now,
        0,
        null,
        now,
        version);
  }
}
