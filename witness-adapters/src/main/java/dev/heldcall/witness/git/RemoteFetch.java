package dev.heldcall.witness.git;

import java.time.Duration;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.SubmoduleConfig.FetchRecurseSubmodulesMode;

/**
 * Brings a repository up to date before a look.
 *
 * @param remote the name of a remote in the repository's own configuration
 * @param timeout how long its connection may stay silent
 */
record RemoteFetch(String remote, Duration timeout) {

  /**
   * Fetches what the remote's own refspecs say; tags and submodules are left alone.
   *
   * @throws GitAPIException if it fails or is ended
   */
  void run(Repository repository, Deadline deadline) throws GitAPIException {
    // Git is not closed: the repository is its opener's.
    new Git(repository)
        .fetch()
        .setRemote(remote)
        .setTimeout(Math.toIntExact(Math.max(1, timeout.toSeconds())))
        .setRecurseSubmodules(FetchRecurseSubmodulesMode.NO)
        .setProgressMonitor(deadline.monitor())
        .call();
  }
}
