package dev.heldcall.witness.ci;

import dev.heldcall.witness.evidence.Undecidable;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A commit of a repository.
 *
 * @param repository {@code owner/name}
 * @param sha its full SHA-1 in lower case
 */
record CommitRef(String repository, String sha) {

  private static final Pattern REPOSITORY =
      Pattern.compile("(?![.]{1,2}/)[A-Za-z0-9._-]{1,100}/(?![.]{1,2}$)[A-Za-z0-9._-]{1,100}");
  private static final Pattern SHA = Pattern.compile("[0-9a-f]{40}");

  static boolean isRepository(String text) {
    return REPOSITORY.matcher(text).matches();
  }

  /**
   * The commit that a call names.
   *
   * @throws Undecidable if it names a branch or a tag, which move, or nothing that can be a commit
   */
  static CommitRef of(String repository, String commit) throws Undecidable {
    if (!isRepository(repository)) {
      throw new Undecidable("the repository is not of the form owner/name");
    }
    String sha = commit.toLowerCase(Locale.ROOT);
    if (!SHA.matcher(sha).matches()) {
      throw new Undecidable("the commit is not a full SHA of 40 hexadecimal digits");
    }
    return new CommitRef(repository, sha);
  }

  /** What a request about it is out under: forges do not mind the case of a repository's name. */
  String reference() {
    return repository.toLowerCase(Locale.ROOT) + "@" + sha;
  }
}
