package dev.heldcall.witness.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.transport.RefSpec;

/** The repository that {@code git-ancestry/make.sh} made with git itself, laid out on a disk. */
final class FactsRepository {

  private final Path folder;
  private final Properties commits = new Properties();

  private FactsRepository(Path folder) {
    this.folder = folder;
  }

  static FactsRepository in(Path folder) throws Exception {
    FactsRepository made = new FactsRepository(folder);
    for (String file : new String[] {"facts.bundle", "allowed_signers", "revoked_keys"}) {
      try (InputStream in = resource(file)) {
        Files.copy(in, folder.resolve(file));
      }
    }
    try (InputStream in = resource("commits.properties")) {
      made.commits.load(in);
    }
    made.bare("app.git");
    return made;
  }

  private static InputStream resource(String name) throws IOException {
    InputStream in = FactsRepository.class.getResourceAsStream("/git-ancestry/" + name);
    if (in == null) {
      throw new IOException("no resource " + name);
    }
    return in;
  }

  /** A bare repository with all that the bundle has. */
  Path bare(String name) throws Exception {
    Path path = folder.resolve(name);
    try (Git git = Git.init().setBare(true).setDirectory(path.toFile()).call()) {
      fill(git);
    }
    return path;
  }

  /** An empty bare repository. */
  Path empty(String name) throws Exception {
    Path path = folder.resolve(name);
    Git.init().setBare(true).setDirectory(path.toFile()).call().close();
    return path;
  }

  /** A repository with a work tree, with all that the bundle has. */
  Path withWorkTree(String name) throws Exception {
    Path path = folder.resolve(name);
    try (Git git = Git.init().setDirectory(path.toFile()).call()) {
      fill(git);
    }
    return path;
  }

  /** Brings the bundle's branches and tags into a repository. */
  void fill(Path repository) throws Exception {
    try (Git git = Git.open(repository.toFile())) {
      fill(git);
    }
  }

  /** And a tag of the branch's name, one commit behind it. */
  private void fill(Git git) throws Exception {
    git.fetch()
        .setRemote(folder.resolve("facts.bundle").toUri().toString())
        .setRefSpecs(new RefSpec("+refs/heads/*:refs/heads/*"))
        .call();
    RefUpdate tag = git.getRepository().updateRef("refs/tags/main");
    tag.setNewObjectId(ObjectId.fromString(commit("signed")));
    if (tag.forceUpdate() != RefUpdate.Result.NEW) {
      throw new IOException("no tag");
    }
  }

  /** Puts an object into a repository, whatever it says. */
  String insert(String name, int type, String content) throws IOException {
    try (Git git = Git.open(folder.resolve(name).toFile());
        ObjectInserter inserter = git.getRepository().newObjectInserter()) {
      ObjectId id = inserter.insert(type, content.getBytes(StandardCharsets.UTF_8));
      inserter.flush();
      return id.name();
    }
  }

  /** The id of a commit by the name that the script gave it. */
  String commit(String name) {
    String id = commits.getProperty(name);
    if (id == null) {
      throw new IllegalArgumentException("no commit " + name);
    }
    return id;
  }

  Path path(String name) {
    return folder.resolve(name);
  }
}
