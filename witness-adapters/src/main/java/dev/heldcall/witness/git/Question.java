package dev.heldcall.witness.git;

import dev.heldcall.witness.git.CommitFacts.Signers;
import java.util.List;
import org.eclipse.jgit.lib.ObjectId;
import org.jspecify.annotations.Nullable;

/**
 * The facts to look for, with what one call says filled in.
 *
 * @param commit the commit's full id
 * @param branch the branch that must contain it, or null
 * @param signers whose signature it must bear, or null
 * @param unchanged what it must leave as it was, or null
 */
record Question(
    ObjectId commit,
    @Nullable String branch,
    @Nullable Signers signers,
    @Nullable UnchangedSince unchanged) {

  /**
   * @param base a branch, or a commit's full id
   * @param paths paths in the tree
   */
  record UnchangedSince(String base, List<String> paths) {

    UnchangedSince {
      paths = List.copyOf(paths);
    }
  }
}
