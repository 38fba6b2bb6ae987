package dev.heldcall.witness.git;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.witness.evidence.ArgSource;
import dev.heldcall.witness.evidence.SettingsObject;
import dev.heldcall.witness.git.CommitFacts.BranchChoice;
import dev.heldcall.witness.git.CommitFacts.Signers;
import dev.heldcall.witness.git.CommitFacts.Unchanged;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.sshd.common.signature.BuiltinSignatures;
import org.eclipse.jgit.lib.Repository;
import org.jspecify.annotations.Nullable;

/** Reads the settings of a {@code git-ancestry} provider. */
final class GitAncestrySettingsReader {

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

  private final SettingsObject settings;

  GitAncestrySettingsReader(JsonNode settings) throws InvalidProviderSettings {
    this.settings = SettingsObject.of(settings);
  }

  GitAncestrySettings read() throws InvalidProviderSettings {
    GitRepositories repositories = repositories();
    GitAncestrySettings read =
        new GitAncestrySettings(
            repositories,
            repository(repositories),
            settings.pointer("commit"),
            facts(),
            fetch(),
            settings.duration("look-after", Duration.ofSeconds(30), SECOND, HOUR),
            settings.integer("max-at-once", 4, 1, 64));
    settings.done();
    return read;
  }

  private GitRepositories repositories() throws InvalidProviderSettings {
    SettingsObject object = settings.object("repositories");
    Map<String, Path> paths = new LinkedHashMap<>();
    for (String name : object.keys()) {
      Path path = Path.of(object.text(name));
      if (!NAME.matcher(name).matches() || !path.isAbsolute()) {
        throw object.wrong(name, "a name of letters, digits, . _ - and an absolute path");
      }
      paths.put(name, path);
    }
    if (paths.isEmpty()) {
      throw settings.wrong("repositories", "one repository or more");
    }
    return new GitRepositories(paths);
  }

  private ArgSource repository(GitRepositories repositories) throws InvalidProviderSettings {
    if (!settings.has("repository") && repositories.names().size() == 1) {
      return new ArgSource.Fixed(repositories.names().iterator().next());
    }
    ArgSource source = source(settings, "repository", settings.value("repository"));
    if (source instanceof ArgSource.Fixed(String name) && !repositories.has(name)) {
      throw settings.wrong("repository", "one of the repositories, or { args = a JSON Pointer }");
    }
    return source;
  }

  private CommitFacts facts() throws InvalidProviderSettings {
    SettingsObject facts = settings.object("facts");
    BranchChoice branch = branch(facts);
    Signers signers = signers(facts);
    Unchanged unchanged = unchanged(facts);
    facts.done();
    if (branch == null && signers == null && unchanged == null) {
      throw settings.wrong("facts", "one or more of ancestor-of, signed-by, unchanged");
    }
    return new CommitFacts(branch, signers, unchanged);
  }

  private static @Nullable BranchChoice branch(SettingsObject facts)
      throws InvalidProviderSettings {
    JsonNode value = facts.value("ancestor-of");
    if (value == null) {
      return null;
    }
    if (value.isTextual()) {
      return new BranchChoice(
          new ArgSource.Fixed(ref(facts, "ancestor-of", value.textValue())), Set.of());
    }
    SettingsObject choice = facts.nested("ancestor-of", value);
    ArgSource name = new ArgSource.FromArgs(choice.pointer("args"));
    Set<String> oneOf = Set.copyOf(choice.texts("one-of"));
    for (String branch : oneOf) {
      ref(choice, "one-of", branch);
    }
    if (oneOf.isEmpty()) {
      throw choice.wrong("one-of", "the branches that a call may choose from");
    }
    choice.done();
    return new BranchChoice(name, oneOf);
  }

  private static @Nullable Signers signers(SettingsObject facts) throws InvalidProviderSettings {
    SettingsObject signed = facts.optionalObject("signed-by");
    if (signed == null) {
      return null;
    }
    String format = signed.word("format", "ssh", List.of("ssh", "openpgp", "x509"));
    if (!format.equals("ssh")) {
      throw signed.wrong("format", "ssh: OpenPGP and X.509 signatures are not verified here");
    }
    if (!BuiltinSignatures.ed25519.isSupported()) {
      throw signed.wrong("format", "a Java with Ed25519 for SSH signatures");
    }
    Signers read =
        new Signers(
            file(signed, "allowed-signers", signed.text("allowed-signers")),
            signed.has("revoked-keys")
                ? file(signed, "revoked-keys", signed.text("revoked-keys"))
                : null);
    signed.done();
    return read;
  }

  private static Path file(SettingsObject in, String key, String text)
      throws InvalidProviderSettings {
    Path path = Path.of(text);
    if (!path.isAbsolute() || !Files.isReadable(path)) {
      throw in.wrong(key, "the absolute path of a file that can be read");
    }
    return path;
  }

  private static @Nullable Unchanged unchanged(SettingsObject facts)
      throws InvalidProviderSettings {
    SettingsObject unchanged = facts.optionalObject("unchanged");
    if (unchanged == null) {
      return null;
    }
    ArgSource base = source(unchanged, "base", unchanged.value("base"));
    if (base instanceof ArgSource.Fixed(String name)) {
      ref(unchanged, "base", name);
    }
    List<ArgSource> paths = new ArrayList<>();
    for (JsonNode element : unchanged.list("paths")) {
      ArgSource path = source(unchanged, "paths", element);
      if (path instanceof ArgSource.Fixed(String text) && !QuestionReader.isTreePath(text)) {
        throw unchanged.wrong("paths", "paths of a tree such as deploy/prod.yaml");
      }
      paths.add(path);
    }
    if (paths.isEmpty() || paths.size() > Unchanged.MAX_PATHS) {
      throw unchanged.wrong("paths", "1 to " + Unchanged.MAX_PATHS + " paths");
    }
    unchanged.done();
    return new Unchanged(base, paths);
  }

  private @Nullable RemoteFetch fetch() throws InvalidProviderSettings {
    SettingsObject fetch = settings.optionalObject("fetch");
    if (fetch == null) {
      return null;
    }
    String remote = fetch.text("remote");
    if (!NAME.matcher(remote).matches()) {
      throw fetch.wrong("remote", "the name of a remote in the repository's configuration");
    }
    RemoteFetch read =
        new RemoteFetch(remote, fetch.duration("timeout", Duration.ofSeconds(10), SECOND, HOUR));
    fetch.done();
    return read;
  }

  /** A text, or {@code { args = a JSON Pointer }}. */
  private static ArgSource source(SettingsObject in, String key, @Nullable JsonNode value)
      throws InvalidProviderSettings {
    if (value != null && value.isTextual()) {
      return new ArgSource.Fixed(value.textValue());
    }
    if (value == null || !value.isObject()) {
      throw in.wrong(key, "a text, or { args = a JSON Pointer }");
    }
    SettingsObject object = in.nested(key, value);
    ArgSource source = new ArgSource.FromArgs(object.pointer("args"));
    object.done();
    return source;
  }

  private static String ref(SettingsObject in, String key, String name)
      throws InvalidProviderSettings {
    String full = name.startsWith("refs/") ? name : "refs/heads/" + name;
    if (!Repository.isValidRefName(full)) {
      throw in.wrong(key, "the name of a branch such as main, or of a ref such as refs/…");
    }
    return name;
  }
}
