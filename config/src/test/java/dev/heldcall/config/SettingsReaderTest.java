package dev.heldcall.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.ToolEntry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read and what is refused, a case a setting; long because there are many settings. */
class SettingsReaderTest {

  @TempDir Path dir;

  private HeldcallSettings load(Map<String, String> env, String... files) throws SettingsException {
    return load(env, Overrides.none(), files);
  }

  private HeldcallSettings load(Map<String, String> env, Overrides overrides, String... files)
      throws SettingsException {
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < files.length; i++) {
      paths.add(write("f" + i + ".conf", files[i]));
    }
    return SettingsReader.load(paths, env, overrides, SettingsReader.DEV);
  }

  private Path write(String name, String text) {
    try {
      return Files.writeString(dir.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Nested
  class Layers {

    @Test
    void laterFilesWin() throws SettingsException {
      HeldcallSettings settings =
          load(
              Map.of(),
              "heldcall { http.port = 1001, effect { settle = 7s, max-attempts = 5 } }",
              "heldcall { http.port = 1002, effect.settle = 8s }");

      assertThat(settings.http().port()).isEqualTo(1002);
      assertThat(settings.effect().settle()).isEqualTo(Duration.ofSeconds(8));
      assertThat(settings.effect().maxAttempts()).isEqualTo(5);
      assertThat(settings.effect().dispatchWindow()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void environmentVariablesWinOverFiles() throws SettingsException {
      HeldcallSettings settings =
          load(
              Map.of(
                  "HELDCALL_HTTP_PORT", "1003",
                  "HELDCALL_HTTP_INTERFACE", "::1",
                  "HELDCALL_DATA", "/var/lib/heldcall",
                  "HELDCALL_DB_URL", "jdbc:postgresql://db/heldcall",
                  "HELDCALL_DB_USER", "u",
                  "HELDCALL_DB_PASSWORD", "p",
                  "HELDCALL_CLUSTER_HOST", "node-1",
                  "HELDCALL_CLUSTER_PORT", "25520",
                  "HELDCALL_CLUSTER_SEEDS", "node-1:25520, node-2:25520"),
              "heldcall { http.port = 1002, data = \"./other\", cluster.seeds = [\"x:1\"] }");

      assertThat(settings.http()).isEqualTo(new HttpSettings("::1", 1003));
      assertThat(settings.data()).isEqualTo(Path.of("/var/lib/heldcall"));
      assertThat(settings.db())
          .isEqualTo(new DbSettings("jdbc:postgresql://db/heldcall", "u", "p"));
      assertThat(settings.cluster())
          .isEqualTo(new ClusterSettings("node-1", 25520, List.of("node-1:25520", "node-2:25520")));
    }

    @Test
    void anEmptyVariableIsNotSet() throws SettingsException {
      assertThat(load(Map.of("HELDCALL_DB_URL", "", "HELDCALL_HTTP_PORT", "")).db()).isNull();
    }

    @Test
    void theCommandLineWinsOverAll() throws SettingsException {
      HeldcallSettings settings =
          load(
              Map.of("HELDCALL_HTTP_PORT", "1003", "HELDCALL_DATA", "/x"),
              new Overrides(0, Path.of("/y")),
              "heldcall.http.port = 1002");

      assertThat(settings.http().port()).isZero();
      assertThat(settings.data()).isEqualTo(Path.of("/y"));
    }

    @Test
    void theProfileComesFromTheEnvironmentElseTheLastFileElseTheCaller() throws SettingsException {
      String production = "heldcall.profile = production";

      assertThat(load(Map.of()).profile()).isEqualTo("dev");
      assertThat(load(Map.of(), production).profile()).isEqualTo("production");
      assertThat(load(Map.of(), production).tools()).isEmpty();
      assertThat(load(Map.of("HELDCALL_PROFILE", "dev"), production).profile()).isEqualTo("dev");
      assertThatThrownBy(() -> load(Map.of(), "\nheldcall.profile = staging"))
          .hasMessage(
              "heldcall.profile (%s:2): expected one of dev, production, found \"staging\""
                  .formatted(dir.resolve("f0.conf")));
    }

    @Test
    void toolsOfAFileReplaceTheProfilesWholeAndLeaveItsPolicy() throws SettingsException {
      HeldcallSettings settings =
          load(Map.of(), "heldcall.tools { t { executor = client, capability = c } }");

      assertThat(settings.tools()).containsOnlyKeys("t");
      assertThat(settings.policy().floor().path("rules")).hasSize(4);
    }

    @Test
    void policyOfAFileReplacesTheProfilesWholeAndLeavesItsTools() throws SettingsException {
      HeldcallSettings settings =
          load(Map.of(), "heldcall.policy.organizations.acme { rules = [] }");

      assertThat(settings.policy().floor().path("rules")).isEmpty();
      assertThat(settings.policy().organizations()).containsOnlyKeys("acme");
      assertThat(settings.tools()).containsOnlyKeys("money_transfer", "note_write");
    }

    @Test
    void toolsOfSeveralFilesMerge() throws SettingsException {
      assertThat(
              load(
                      Map.of(),
                      "heldcall.tools { a { executor = client, capability = c } }",
                      "heldcall.tools { b { executor = client, capability = c } }")
                  .tools())
          .containsOnlyKeys("a", "b");
    }

    @Test
    void substitutionsSeeTheEnvironmentAndLeaveNothingOfItBehind() throws SettingsException {
      HeldcallSettings settings =
          load(
              Map.of("MY_PORT", "1004", "MY_SECRET", "s"),
              "heldcall.http.port = ${MY_PORT}\nheldcall.http.port = ${?NOT_SET}");

      assertThat(settings.http().port()).isEqualTo(1004);
      assertThat(settings.raw().root().render()).doesNotContain("MY_SECRET");
    }

    @Test
    void otherBlocksPassThrough() throws SettingsException {
      assertThat(load(Map.of(), "pekko.loglevel = DEBUG").raw().getString("pekko.loglevel"))
          .isEqualTo("DEBUG");
    }
  }

  @Nested
  class Problems {

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "http.prot = 1        | http.prot | one of the known keys interface, port, public-url | an unknown key (did you mean 'port'?)",
          "htp { }              | htp | one of the known keys profile, http, data, db, auth, tools, policy, cluster, effect, limits, witnesses, plugins | an unknown key (did you mean 'http'?)",
          "http.port = eighty   | http.port | an integer from 0 to 65535 | \"eighty\"",
          "http.port = 65536    | http.port | an integer from 0 to 65535 | 65536",
          "http.port = 80.5     | http.port | an integer from 0 to 65535 | 80.5",
          "http.port = [1]      | http.port | an integer from 0 to 65535 | a list",
          "http.port = null     | http.port | an integer from 0 to 65535 | null",
          "http = 5             | http | an object | 5",
          "http.interface = \"\" | http.interface | a text that is not empty | \"\"",
          "effect.settle = soon | effect.settle | a duration from 0s to 1h, such as 10s | \"soon\"",
          "effect.settle = 2h   | effect.settle | a duration from 0s to 1h, such as 10s | \"2h\"",
          "limits.max-body = 1 B | limits.max-body | a size from 1024 to 67108864 bytes, such as 64 KiB | \"1 B\"",
          "limits.max_body = 1 MiB | limits.max_body | one of the known keys max-body | an unknown key (did you mean 'max-body'?)",
          "db.user = u          | db.url | a JDBC URL, because a user or a password is given | nothing",
          "db.url = \"postgres://x\" | db.url | a JDBC URL that begins with jdbc:postgresql: or jdbc:h2: | \"postgres://x\"",
          "db { url = \"jdbc:h2:x\", password = [a] } | db.password | a text | a value that is not shown",
          "cluster.seeds = [a]  | cluster.seeds | a list of host:port | a list",
          "plugins { dir = x }  | plugins | nothing: plugins are not in this release | an object",
          "policy.projects { \"a/b\" { } } | policy.projects | nothing: the project layer is not in this release | an object",
          "policy.users { \"a/b\" { } } | policy.users | nothing: the user layer is not in this release | an object",
          "policy.floor = 5     | policy.floor | an object | 5",
          "policy.floor.rules = [ { contract { expires = soon } } ] | policy.floor.rules[0].contract.expires | a duration in whole seconds, such as 10m | \"soon\"",
          "policy.floor.rules = [ { contract { expires = 1500ms } } ] | policy.floor.rules[0].contract.expires | a duration in whole seconds, such as 10m | \"1500ms\""
        })
    void nameKeyPlaceExpectationAndFinding(String line, String key, String expected, String found) {
      SettingsProblem problem = onlyProblem("# a comment\nheldcall { # the block\n" + line + "\n}");

      assertThat(problem.key()).isEqualTo("heldcall." + key);
      assertThat(problem.place()).startsWith(place(""));
      assertThat(problem.expected()).startsWith(expected);
      assertThat(problem.found()).isEqualTo(found);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "capability = c                          | .executor | one of http, client, mcp, kernel | nothing",
          "executor = ftp, capability = c          | .executor | one of http, client, mcp, kernel | \"ftp\"",
          "executor = mcp, capability = c          | .executor | http or client: mcp is not in this release | \"mcp\"",
          "executor = kernel, capability = c       | .executor | http or client: kernel is for the built-in tools | \"kernel\"",
          "executor = client                       | .capability | a text | nothing",
          "executor = http, capability = c         | .url | an absolute http or https URL | nothing",
          "executor = http, capability = c, url = \"/x\" | .url | an absolute http or https URL | \"/x\"",
          "executor = http, capability = c, url = \"ftp://h/x\" | .url | an absolute http or https URL | \"ftp://h/x\"",
          "executor = client, capability = c, url = \"http://h/x\" | .url | no url | \"http://h/x\"",
          "executor = client, capability = c, timeout = 0s | .timeout | a duration from 1ms | \"0s\"",
          "executor = client, capability = c, idempotent = perhaps | .idempotent | true or false | \"perhaps\"",
          "executor = client, capability = c, method = GET | .method | one of POST | \"GET\"",
          "executor = client, capability = c, capabilty = c | .capabilty | one of the known keys | an unknown key (did you mean 'capability'?)",
          "executor = client, capability = c, schema = x | .schema | a JSON object | \"x\"",
          "executor = client, capability = c, read-back { } | .read-back.url | a text | nothing",
          "executor = client, capability = c, read-back.url = \"http://h/x\" | .read-back.url | a URL with {idempotency_key} | \"http://h/x\"",
          "executor = client, capability = c, result.secrets = redact | .result.secrets | quarantine or off: redact is not in this release | \"redact\"",
          "executor = client, capability = c, result.max-bytes = 0 | .result.max-bytes | a size from 1 | 0"
        })
    void ofATool(String entry, String key, String expected, String found) {
      SettingsProblem problem =
          onlyProblem("heldcall {\n tools {\n  \"git.push\" { " + entry + " }\n }\n}");

      assertThat(problem.key()).isEqualTo("heldcall.tools.\"git.push\"" + key);
      assertThat(problem.place()).isEqualTo(place(":3"));
      assertThat(problem.expected()).startsWith(expected);
      assertThat(problem.found()).isEqualTo(found);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "heldcall.x | a name that does not begin with the reserved 'heldcall.'",
          "a b        | a tool name of at most 128 letters",
          "a*         | a tool name of at most 128 letters"
        })
    void ofAToolsName(String name, String expected) {
      assertThat(
              onlyProblem("heldcall.tools.\"" + name + "\" { executor = client, capability = c }")
                  .expected())
          .startsWith(expected);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '`',
        value = {
          "sha256 = abc, id = a, org = o, project = p, roles = [agent] | .sha256 | the token's SHA-256",
          "sha256 = $, org = o, project = p, roles = [agent] | .id | a text",
          "sha256 = $, id = null, org = o, project = p, roles = [agent] | .id | a text",
          "sha256 = $, id = a, org = o, project = p | .roles | a list of at least one role",
          "sha256 = $, id = a, org = o, project = p, roles = [boss] | .roles | a list of one of agent, witness",
          "sha256 = $, id = a, org = o, project = p, roles = agent | .roles | a list of texts",
          "sha256 = $, id = a, org = o, project = p, roles = [witness], witness-classes = [Human] | .witness-classes | classes of lower-case",
          "sha256 = $, id = a, org = o, project = p, roles = [agent], role = x | .role | one of the known keys"
        })
    void ofAToken(String entry, String key, String expected) {
      SettingsProblem problem =
          onlyProblem(
              "heldcall.auth.tokens = [\n { %s }\n]".formatted(entry.replace("$", "a".repeat(64))));

      assertThat(problem.key()).isEqualTo("heldcall.auth.tokens[0]" + key);
      assertThat(problem.place()).isEqualTo(place(":2"));
      assertThat(problem.expected()).startsWith(expected);
    }

    @Test
    void ofADigestUsedTwice() {
      String token =
          "{ sha256 = \"%s\", id = a, org = o, project = p, roles = [agent] }"
              .formatted("a".repeat(64));

      assertThat(onlyProblem("heldcall.auth.tokens = [\n" + token + "\n" + token + "\n]"))
          .isEqualTo(
              new SettingsProblem(
                  "heldcall.auth.tokens[1].sha256",
                  place(":3"),
                  "a digest of its own: it is also that of heldcall.auth.tokens[0]",
                  "\"" + "a".repeat(64) + "\""));
    }

    @Test
    void ofAPrincipalWhoseTokensDisagreeOnWhomItActsFor() {
      String token =
          "{ sha256 = \"%s\", id = bot, org = o, project = p, roles = [witness], on-behalf-of = %s }";
      assertThat(
              onlyProblem(
                  "heldcall.auth.tokens = [\n"
                      + token.formatted("a".repeat(64), "alice")
                      + "\n"
                      + token.formatted("b".repeat(64), "bob")
                      + "\n]"))
          .isEqualTo(
              new SettingsProblem(
                  "heldcall.auth.tokens[1].on-behalf-of",
                  place(":3"),
                  "as for the same principal in heldcall.auth.tokens[0]",
                  "\"bob\""));
    }

    @Test
    void ofAPrincipalWhoseTokensDisagreeOnItsModelFamily() {
      String token = "{ sha256 = \"%s\", id = bot, org = o, project = p, roles = [witness]%s }";
      assertThat(
              onlyProblem(
                      "heldcall.auth.tokens = [\n"
                          + token.formatted("a".repeat(64), ", model-family = m")
                          + "\n"
                          + token.formatted("b".repeat(64), "")
                          + "\n]")
                  .key())
          .isEqualTo("heldcall.auth.tokens[1].model-family");
    }

    @Test
    void areAllNamedAtOnceALineEach() {
      assertThatThrownBy(
              () -> load(Map.of(), "heldcall.http.port = x", "heldcall.limits.max-nesting = 65"))
          .isInstanceOf(SettingsException.class)
          .hasMessage(
              """
              heldcall.http.port (%s:1): expected an integer from 0 to 65535, found "x"
              heldcall.limits.max-nesting (%s:1): expected an integer from 1 to 64, found 65\
              """
                  .formatted(dir.resolve("f0.conf"), dir.resolve("f1.conf")));
    }

    @Test
    void nameAnEnvironmentVariable() {
      assertThatThrownBy(() -> load(Map.of("HELDCALL_HTTP_PORT", "x")))
          .hasMessage(
              "heldcall.http.port (environment variable HELDCALL_HTTP_PORT): expected an integer"
                  + " from 0 to 65535, found \"x\"");
    }

    @Test
    void nameAFileThatIsMissingOrUnreadable() {
      assertThatThrownBy(
              () ->
                  SettingsReader.load(
                      List.of(dir.resolve("no.conf")),
                      Map.of(),
                      Overrides.none(),
                      SettingsReader.DEV))
          .isInstanceOf(SettingsException.class)
          .hasMessage(
              "--config (%s): expected a readable file, found no such file"
                  .formatted(dir.resolve("no.conf")));
      assertThatThrownBy(() -> load(Map.of(), "heldcall {\n  http {"))
          .isInstanceOf(SettingsException.class)
          .hasMessageContaining(place(":2"))
          .hasMessageContaining("expected readable HOCON");
      assertThatThrownBy(() -> load(Map.of(), "heldcall.http.port = ${NOT_SET}"))
          .isInstanceOf(SettingsException.class)
          .hasMessageContaining(place(":1"))
          .hasMessageContaining("NOT_SET");
    }

    @Test
    void nameTheNearestBlockOfAMissingKey() {
      SettingsProblem problem = onlyProblem("heldcall {\n  db {\n    user = u }\n}");

      assertThat(problem.place()).isEqualTo(place(":2"));
      assertThatThrownBy(() -> load(Map.of(), "\n\nheldcall.http = null\nheldcall.x = 1"))
          .hasMessageContaining("heldcall.http.port (" + place(":") + "3): expected an integer");
    }

    @Test
    void nameABlockThatIsNone() {
      assertThat(onlyProblem("heldcall = 5").expected()).isEqualTo("an object");
    }

    private String place(String line) {
      return dir.resolve("f0.conf") + line;
    }

    private SettingsProblem onlyProblem(String file) {
      try {
        load(Map.of(), file);
      } catch (SettingsException e) {
        assertThat(e.problems()).hasSize(1);
        return e.problems().getFirst();
      }
      throw new AssertionError("expected a problem with " + file);
    }
  }

  @Nested
  class Tools {

    @Test
    void haveDefaults() throws SettingsException {
      assertThat(
              load(
                      Map.of(),
                      "heldcall.tools.\"git.push\" { executor = http, capability = c, url = \"https://h/x\" }")
                  .tools()
                  .get("git.push"))
          .isEqualTo(
              new ToolEntry(
                  "git.push",
                  ExecutorKind.HTTP,
                  "https://h/x",
                  "POST",
                  "c",
                  Duration.ofSeconds(10),
                  false,
                  Duration.ofHours(24),
                  null,
                  null,
                  null,
                  1L << 20));
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "redact = [\"/card\", \"/items/*/iban\"]              | summary | /card /items/*/iban",
          "disclosure = digest                                  | digest  | ''",
          "disclosure = summary                                 | summary | ''",
          "disclosure = full, redact = [\"/card\"]               | full    | /card",
          "timeout = 3s                                         | full    | ''"
        })
    void sayWhatOthersSee(String entry, String disclosure, String redact) throws SettingsException {
      var tool =
          Objects.requireNonNull(
              load(
                      Map.of(),
                      "heldcall.tools.t { executor = client, capability = c, " + entry + " }")
                  .tools()
                  .get("t"));
      assertThat(tool.disclosure().disclosure().wireName()).isEqualTo(disclosure);
      assertThat(String.join(" ", tool.disclosure().redact())).isEqualTo(redact);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        value = {
          "redact = [card]            | a list of JSON Pointers",
          "redact = [\"\"]             | a list of texts",
          "redact = \"/card\"          | a list of texts",
          "disclosure = secret        | one of full, summary, digest"
        })
    void areRefusedWhereWhatOthersSeeIsWrong(String entry, String expected) {
      assertThatThrownBy(
              () ->
                  load(
                      Map.of(),
                      "heldcall.tools.t { executor = client, capability = c, " + entry + " }"))
          .isInstanceOf(SettingsException.class)
          .hasMessageContaining("heldcall.tools.t.")
          .hasMessageContaining(expected);
    }

    @Test
    void keepTheirSchemasAsWritten() throws SettingsException {
      var tools =
          load(
                  Map.of(),
                  """
                  heldcall.tools.t { executor = client, capability = c
                    key-retention = 2d
                    schema { properties { "kebab-key" { const = "x-y" }, snake_key { maximum = 1.5 } }, required = [] }
                    result-schema { type = object }
                    result { max-bytes = 64 KiB, secrets = quarantine } }
                  """)
              .tools();

      var tool = Objects.requireNonNull(tools.get("t"));

      assertThat(String.valueOf(tool.schema()))
          .isEqualTo(
              "{\"properties\":{\"kebab-key\":{\"const\":\"x-y\"},\"snake_key\":{\"maximum\":1.5}},"
                  + "\"required\":[]}");
      assertThat(String.valueOf(tool.resultSchema())).isEqualTo("{\"type\":\"object\"}");
      assertThat(tool.maxResultBytes()).isEqualTo(65_536);
      assertThat(tool.keyRetention()).isEqualTo(Duration.ofDays(2));
    }
  }

  @Nested
  class Policy {

    @Test
    void becomesJsonOfThePolicyApisShape() throws SettingsException {
      var policy =
          load(
                  Map.of(),
                  """
                  heldcall.policy.organizations."a.b" {
                    rules = [
                      { id = r, tools = ["x"], verdict = REQUIRE_WITNESS,
                        contract { rule = "human", expires = 10m, on-refuted = hold, signed = true } }
                      { id = t, transform { tool = y, args-patch { keep-days = 30, expires = 10m } } }
                    ] }
                  """)
              .policy();

      assertThat(String.valueOf(policy.organizations().get("a.b")))
          .isEqualTo(
              "{\"rules\":[{\"contract\":{\"expires_s\":600,\"on_refuted\":\"hold\",\"rule\":\"human\","
                  + "\"signed\":true},\"id\":\"r\",\"tools\":[\"x\"],\"verdict\":\"REQUIRE_WITNESS\"},"
                  + "{\"id\":\"t\",\"transform\":{\"args_patch\":{\"expires\":\"10m\",\"keep-days\":30},"
                  + "\"tool\":\"y\"}}]}");
    }

    @Test
    void knowsWhereEachPartWasReadFrom() throws SettingsException {
      var policy =
          load(
                  Map.of(),
                  """
                  heldcall.policy.floor {
                    rules = [
                      { id = r
                        contract {
                          expires = 10m } } ] }
                  heldcall.tools.t { executor = client, capability = c
                    schema { type = object } }
                  """)
              .policy();
      String file = dir.resolve("f0.conf").toString();

      assertThat(policy.place("floor", "/rules/0/id")).isEqualTo(file + ":3");
      assertThat(policy.place("floor", "/rules/0/contract/expires_s")).isEqualTo(file + ":5");
      assertThat(policy.place("floor", "/rules/0/verdict")).isEqualTo(file + ":3");
      assertThat(policy.place("tools", "/t/schema/type")).isEqualTo(file + ":7");
      assertThat(policy.place("organizations.acme", "/x")).isEqualTo("configuration");
    }
  }

  @Test
  void settingsShowNoSecrets() throws SettingsException {
    HeldcallSettings settings =
        load(
            Map.of(
                "HELDCALL_DB_URL", "jdbc:postgresql://db/x?password=hidden",
                "HELDCALL_DB_PASSWORD", "hidden"));

    assertThat(settings.toString()).contains("jdbc:postgresql://db/x").doesNotContain("hidden");
  }
}
