package dev.heldcall.witness.git;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.witness.git.CommitFacts.Signers;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.lib.GpgConfig;
import org.eclipse.jgit.lib.GpgConfig.GpgFormat;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.lib.SignatureVerifier.SignatureVerification;
import org.eclipse.jgit.lib.SignatureVerifiers;
import org.eclipse.jgit.revwalk.RevCommit;
import org.jspecify.annotations.Nullable;

/**
 * Whether a commit bears an SSH signature by an allowed key. What is allowed is said by this
 * provider's own files alone: the repository's configuration, and whoever can write it, have no
 * say.
 */
final class CommitSignature {

  private final Repository repository;
  private final Signers signers;
  private final GpgConfig config;

  CommitSignature(Repository repository, Signers signers) {
    this.repository = repository;
    this.signers = signers;
    Config files = new Config();
    files.setString("gpg", null, "format", "ssh");
    files.setString("gpg", "ssh", "allowedSignersFile", signers.allowedSigners().toString());
    if (signers.revocation() != null) {
      files.setString("gpg", "ssh", "revocationFile", signers.revocation().toString());
    }
    this.config = new GpgConfig(files);
  }

  /**
   * Looks; empty if it is signed by an allowed key.
   *
   * @throws IOException if the files of allowed or revoked keys cannot be read
   */
  Optional<Finding> look(RevCommit commit, ObjectNode fact) throws IOException {
    readable();
    byte[] signature = commit.getRawGpgSignature();
    if (signature == null) {
      return unsigned("the commit " + commit.name() + " is not signed", fact);
    }
    GpgFormat format = SignatureVerifiers.getFormat(signature);
    if (format != GpgFormat.SSH) {
      return unsigned(
          "the commit "
              + commit.name()
              + " bears another signature than an SSH one, so none of an allowed key",
          fact);
    }
    SignatureVerification found = verify(commit);
    if (found == null || !found.verified() || found.expired()) {
      return unsigned(
          "the commit " + commit.name() + " is not signed by an allowed key: " + why(found), fact);
    }
    fact.put("key", found.keyFingerprint()).put("signer", found.keyUser()).put("holds", true);
    return Optional.empty();
  }

  /** A list of revoked keys that is gone must not read as one that revokes nobody. */
  private void readable() throws IOException {
    if (!Files.isReadable(signers.allowedSigners())) {
      throw new IOException("the file of allowed signers cannot be read");
    }
    if (signers.revocation() != null && !Files.isReadable(signers.revocation())) {
      throw new IOException("the file of revoked keys cannot be read");
    }
  }

  /** Null for one that is malformed, which JGit answers with whatever its reading ran into. */
  private @Nullable SignatureVerification verify(RevCommit commit) throws IOException {
    try {
      return SignatureVerifiers.verify(repository, config, commit);
    } catch (RuntimeException e) {
      return null;
    }
  }

  private static String why(@Nullable SignatureVerification found) {
    if (found == null) {
      return "its signature is malformed";
    }
    return found.message() == null ? "it does not verify" : found.message();
  }

  private static Optional<Finding> unsigned(String why, ObjectNode fact) {
    fact.put("holds", false);
    return Optional.of(new Finding.IsFalse(why, fact));
  }
}
