package dev.heldcall.kernel.readside;

import dev.heldcall.plugin.api.PrincipalRef;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One held call as the index has it.
 *
 * @param heldId its id
 * @param proposer who proposed it
 * @param sessionId the session, as the proposer named it
 * @param turnId the turn, as the proposer named it
 * @param callId the call, as the proposer named it
 * @param sessionKey the session's key in the whole cluster
 * @param tool the tool of the current generation
 * @param state which list it is in
 * @param phase its phase, for display
 * @param expiresAtMillis when it expires, in milliseconds since the epoch, or null
 * @param createdAtMillis when it was proposed
 * @param dueAtMillis when its entity next wants a tick, or null
 * @param waitingClasses the witness classes whose evidence is wanted now
 * @param generation the current generation
 * @param seqNr the journal sequence number that this row shows
 * @param summary what lists show of it, as JSON; nothing here looks inside
 * @param ended whether it no longer counts against its principal's bound
 */
public record CallRow(
    String heldId,
    PrincipalRef proposer,
    String sessionId,
    String turnId,
    String callId,
    String sessionKey,
    String tool,
    CallState state,
    String phase,
    @Nullable Long expiresAtMillis,
    long createdAtMillis,
    @Nullable Long dueAtMillis,
    Set<String> waitingClasses,
    int generation,
    long seqNr,
    String summary,
    boolean ended) {

  /**
   * @throws IllegalArgumentException if a witness class is empty or has a space in it
   */
  public CallRow {
    for (String name : waitingClasses) {
      if (name.isEmpty() || name.indexOf(' ') >= 0) {
        throw new IllegalArgumentException("not a witness class: '" + name + "'");
      }
    }
    waitingClasses = Set.copyOf(waitingClasses);
  }

  /** The same row, due then. */
  CallRow dueAt(long millis) {
    return new CallRow(
        heldId,
        proposer,
        sessionId,
        turnId,
        callId,
        sessionKey,
        tool,
        state,
        phase,
        expiresAtMillis,
        createdAtMillis,
        millis,
        waitingClasses,
        generation,
        seqNr,
        summary,
        ended);
  }

  /** Lists order by this: the expiry, or after all others where there is none. */
  long deadline() {
    return expiresAtMillis == null ? Long.MAX_VALUE : expiresAtMillis;
  }

  /** The classes in alphabetical order, each between spaces, so that one can be searched for. */
  String classesText() {
    return waitingClasses.isEmpty()
        ? " "
        : " " + String.join(" ", new TreeSet<>(waitingClasses)) + " ";
  }
}
