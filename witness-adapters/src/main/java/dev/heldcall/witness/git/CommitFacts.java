package dev.heldcall.witness.git;

import dev.heldcall.witness.evidence.ArgSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must be true of a commit, all of it.
 *
 * @param ancestorOf the branch that must contain the commit, or null
 * @param signedBy whose signature it must bear, or null
 * @param unchanged what it must not change, or null
 */
record CommitFacts(
    @Nullable BranchChoice ancestorOf, @Nullable Signers signedBy, @Nullable Unchanged unchanged) {

  CommitFacts {
    if (ancestorOf == null && signedBy == null && unchanged == null) {
      throw new IllegalArgumentException("no fact to look for");
    }
  }

  /**
   * A branch: one that is configured, or of several configured ones that which the call names.
   *
   * @param oneOf the branches a call may choose from; a name of the call's is only ever looked up
   *     here
   */
  record BranchChoice(ArgSource name, Set<String> oneOf) {

    BranchChoice {
      oneOf = Set.copyOf(oneOf);
    }
  }

  /**
   * The keys whose signature counts.
   *
   * @param allowedSigners a file of OpenSSH's form "allowed signers" (ssh-keygen(1))
   * @param revocation a file of revoked keys or a key revocation list, or null
   */
  record Signers(Path allowedSigners, @Nullable Path revocation) {}

  /**
   * Paths that must be the same in two commits.
   *
   * @param base a configured branch, or the full id of a commit that the call names
   * @param paths files or folders of the tree, 1 to {@value #MAX_PATHS}
   */
  record Unchanged(ArgSource base, List<ArgSource> paths) {

    /** The most paths. */
    static final int MAX_PATHS = 64;

    Unchanged {
      paths = List.copyOf(paths);
    }
  }
}
