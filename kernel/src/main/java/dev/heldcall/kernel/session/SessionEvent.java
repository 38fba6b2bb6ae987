package dev.heldcall.kernel.session;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a session's journal holds. A released event's meaning never changes. */
public sealed interface SessionEvent {

  /** When, by the clock of the node that wrote it. */
  Instant at();

  /**
   * A call has these edges, and no other that it brought before.
   *
   * @param heldId the call
   * @param dependsOn whom it waits for
   * @param parent who waits for it, or null
   */
  record CallLinked(String heldId, List<String> dependsOn, @Nullable String parent, Instant at)
      implements SessionEvent {
    public CallLinked {
      dependsOn = List.copyOf(dependsOn);
    }
  }
}
