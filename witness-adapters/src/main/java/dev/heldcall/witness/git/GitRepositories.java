package dev.heldcall.witness.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jgit.errors.RepositoryNotFoundException;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;

/**
 * The repositories that are configured, by name. A name is looked up and nothing else: no text of a
 * call becomes part of a path.
 */
final class GitRepositories {

  private final Map<String, Path> paths;

  GitRepositories(Map<String, Path> paths) {
    this.paths = Map.copyOf(paths);
  }

  Set<String> names() {
    return paths.keySet();
  }

  boolean has(String name) {
    return paths.containsKey(name);
  }

  /**
   * Opens one, bare or with a work tree. Neither the environment nor a link in its place can make
   * it another.
   *
   * @return empty if there is none at its path now
   * @throws IOException if it cannot be read
   */
  Optional<Repository> open(String name) throws IOException {
    Path path = paths.get(name);
    if (path == null) {
      throw new IllegalArgumentException("no repository is configured under this name");
    }
    Path nested = path.resolve(".git");
    Path folder = Files.isDirectory(nested, LinkOption.NOFOLLOW_LINKS) ? nested : path;
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new FileRepositoryBuilder().setGitDir(folder.toFile()).setMustExist(true).build());
    } catch (RepositoryNotFoundException e) {
      return Optional.empty();
    }
  }
}
