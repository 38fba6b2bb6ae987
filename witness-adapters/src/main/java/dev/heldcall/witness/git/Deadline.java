package dev.heldcall.witness.git;

import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.lib.ProgressMonitor;

/**
 * Ends a look that takes too long: walks ask it at each commit, fetches through their progress
 * monitor. It is the one that waits for the look who says when time is up.
 */
final class Deadline {

  private final AtomicBoolean over = new AtomicBoolean();

  /** Time is up. */
  void end() {
    over.set(true);
  }

  /**
   * @throws Over if time is up
   */
  void check() {
    if (over.get()) {
      throw new Over();
    }
  }

  /** For JGit's own long operations. */
  ProgressMonitor monitor() {
    return new EmptyProgressMonitor() {
      @Override
      public boolean isCancelled() {
        return over.get();
      }
    };
  }

  /** Nobody waits for the look any more. */
  static final class Over extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Over() {
      super("the look at the repository took too long", null, false, false);
    }
  }
}
