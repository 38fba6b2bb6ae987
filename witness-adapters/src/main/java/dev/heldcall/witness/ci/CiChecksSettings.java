package dev.heldcall.witness.ci;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.witness.evidence.ArgSource;
import dev.heldcall.witness.evidence.SettingsObject;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which checks are asked for, and where.
 *
 * @param api the forge's REST API, without a slash at its end
 * @param token a bearer token, or null
 * @param repository which repository
 * @param commit where the call has the commit
 * @param repositories those that may be asked about, in lower case; empty for any
 * @param checks what must have succeeded, 1 or more
 * @param accept conclusions that count as success, {@code success} always among them
 * @param denyOnFailure whether a failed check is a deny, else the witness cannot tell
 * @param webhookSecret what the forge signs its events with, or null to take none
 * @param poll the shortest pause between looks
 * @param pollMax the longest
 * @param maxAtOnce requests to the forge at a time
 */
record CiChecksSettings(
    String api,
    @Nullable String token,
    ArgSource repository,
    JsonPointer commit,
    Set<String> repositories,
    List<Required> checks,
    Set<String> accept,
    boolean denyOnFailure,
    @Nullable String webhookSecret,
    Duration poll,
    Duration pollMax,
    int maxAtOnce) {

  private static final int MAX_CHECKS = 64;

  /**
   * A check that must have succeeded.
   *
   * @param name the check run's name, or the status's context
   * @param app the id of the app whose check it must be, or null for any
   */
  record Required(String name, @Nullable Long app) {}

  CiChecksSettings {
    repositories = Set.copyOf(repositories);
    checks = List.copyOf(checks);
    accept = Set.copyOf(accept);
  }

  /** Without the secrets. */
  @Override
  public String toString() {
    return "CiChecksSettings[" + api + ", " + checks + "]";
  }

  static CiChecksSettings read(JsonNode node) throws InvalidProviderSettings {
    SettingsObject settings = SettingsObject.of(node);
    URI api = settings.has("api") ? settings.url("api") : URI.create("https://api.github.com");
    CiChecksSettings read =
        new CiChecksSettings(
            api.toString().replaceAll("/+$", ""),
            settings.secret("token"),
            repository(settings),
            settings.pointer("commit"),
            repositories(settings),
            checks(settings),
            accept(settings),
            settings.word("on-failure", "deny", List.of("deny", "defer")).equals("deny"),
            settings.secret("webhook-secret"),
            settings.duration(
                "poll", Duration.ofSeconds(15), Duration.ofSeconds(1), Duration.ofHours(1)),
            settings.duration(
                "poll-max", Duration.ofMinutes(5), Duration.ofSeconds(1), Duration.ofDays(1)),
            settings.integer("max-at-once", 8, 1, 64));
    settings.done();
    return read;
  }

  /** {@code repository} names one, {@code repo} says where the call does. */
  private static ArgSource repository(SettingsObject settings) throws InvalidProviderSettings {
    String fixed = settings.optionalText("repository");
    JsonPointer pointer = settings.optionalPointer("repo");
    if ((fixed == null) == (pointer == null)) {
      throw settings.wrong(
          "repo", "either repo, a JSON Pointer into the arguments, or repository, an owner/name");
    }
    if (fixed == null) {
      return new ArgSource.FromArgs(java.util.Objects.requireNonNull(pointer));
    }
    if (!CommitRef.isRepository(fixed)) {
      throw settings.wrong("repository", "an owner/name");
    }
    return new ArgSource.Fixed(fixed);
  }

  private static Set<String> repositories(SettingsObject settings) throws InvalidProviderSettings {
    Set<String> allowed = new HashSet<>();
    for (String each : settings.texts("repositories")) {
      if (!CommitRef.isRepository(each)) {
        throw settings.wrong("repositories", "a list of owner/name");
      }
      allowed.add(each.toLowerCase(Locale.ROOT));
    }
    return allowed;
  }

  private static List<Required> checks(SettingsObject settings) throws InvalidProviderSettings {
    List<Required> checks = new ArrayList<>();
    List<JsonNode> elements = settings.list("checks");
    for (int i = 0; i < elements.size(); i++) {
      JsonNode element = elements.get(i);
      String at = "checks." + i;
      if (element.isTextual() && !element.textValue().isBlank()) {
        checks.add(new Required(element.textValue(), null));
      } else {
        SettingsObject object = settings.nested(at, element);
        String name = object.text("name");
        JsonNode app = object.value("app");
        if (app != null && !app.isIntegralNumber()) {
          throw object.wrong("app", "the id of an app, a whole number");
        }
        object.done();
        checks.add(new Required(name, app == null ? null : app.longValue()));
      }
    }
    if (checks.isEmpty() || checks.size() > MAX_CHECKS) {
      throw settings.wrong("checks", "the names of 1 to " + MAX_CHECKS + " checks");
    }
    return checks;
  }

  private static Set<String> accept(SettingsObject settings) throws InvalidProviderSettings {
    Set<String> accept = new HashSet<>(settings.texts("accept"));
    accept.add("success");
    if (!Set.of("success", "neutral", "skipped").containsAll(accept)) {
      throw settings.wrong("accept", "a list of success, neutral, skipped");
    }
    return accept;
  }
}
