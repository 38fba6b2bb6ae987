package dev.heldcall.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.ProviderContract.OnNestedRefused;
import dev.heldcall.plugin.api.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WitnessesReaderTest {

  private static final String REST = "kind = k, class = ci, identity { org = acme, project = p }";

  @TempDir Path dir;

  private HeldcallSettings load(String text) throws SettingsException, IOException {
    Path file = Files.writeString(dir.resolve("node.conf"), text);
    return SettingsReader.load(List.of(file), Map.of(), Overrides.none(), SettingsReader.DEV);
  }

  private WitnessSettings one(String block) throws SettingsException, IOException {
    return Objects.requireNonNull(
        load("heldcall.witnesses {\n  build { " + block + " }\n}").witnesses().get("build"));
  }

  @Test
  void thereAreNoneUnlessConfigured() throws Exception {
    assertThat(load("heldcall.http.port = 1").witnesses()).isEmpty();
  }

  @Test
  void whatIsLeftOutHasADefault() throws Exception {
    WitnessSettings read = one(REST);
    assertThat(read.id()).isEqualTo("build");
    assertThat(read.kind()).isEqualTo("k");
    assertThat(read.witnessClass()).isEqualTo("ci");
    assertThat(read.identity().id()).isEqualTo("build");
    assertThat(read.identity().org()).isEqualTo("acme");
    assertThat(read.identity().project()).isEqualTo("p");
    assertThat(read.identity().roles()).containsExactly(Role.WITNESS);
    assertThat(read.identity().witnessClasses()).containsExactly("ci");
    assertThat(read.identity().capabilities()).isEmpty();
    assertThat(read.identity().modelFamily()).isNull();
    assertThat(read.cost()).isZero();
    assertThat(read.timeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(read.patience()).isNull();
    assertThat(read.repeatable()).isNull();
    assertThat(read.onNestedRefused()).isEqualTo(OnNestedRefused.DENY);
    assertThat(read.disclosure()).isEqualTo(Disclosure.FULL);
    assertThat(read.validity()).isEqualTo(Duration.ofHours(24));
    assertThat(read.maxAnswerBytes()).isEqualTo(256 * 1024);
    assertThat(read.settings()).isEmpty();
    assertThat(read.place()).endsWith("node.conf:2");
  }

  @Test
  void everythingCanBeSaid() throws Exception {
    WitnessSettings read =
        one(
            "kind = k, class = ci, cost = 7, timeout = 3s, patience = 1h, repeatable = false"
                + ", on-nested-refused = unavailable, disclosure = digest, validity = 5m"
                + ", max-answer = 1 KiB, settings { some-key = [1, x], deep { a = true } }"
                + ", identity { id = bot, org = acme, project = p, capabilities = [act]"
                + ", on-behalf-of = agent, model-family = m }");
    assertThat(read.identity().id()).isEqualTo("bot");
    assertThat(read.identity().roles()).containsExactlyInAnyOrder(Role.WITNESS, Role.AGENT);
    assertThat(read.identity().capabilities()).containsExactly("act");
    assertThat(read.identity().onBehalfOf()).isEqualTo("agent");
    assertThat(read.identity().modelFamily()).isEqualTo("m");
    assertThat(read)
        .extracting(
            WitnessSettings::cost,
            WitnessSettings::timeout,
            WitnessSettings::patience,
            WitnessSettings::repeatable,
            WitnessSettings::onNestedRefused,
            WitnessSettings::disclosure,
            WitnessSettings::validity,
            WitnessSettings::maxAnswerBytes)
        .containsExactly(
            7,
            Duration.ofSeconds(3),
            Duration.ofHours(1),
            false,
            OnNestedRefused.UNAVAILABLE,
            Disclosure.DIGEST,
            Duration.ofMinutes(5),
            1024L);
    assertThat(read.settings()).hasToString("{\"deep\":{\"a\":true},\"some-key\":[1,\"x\"]}");
    assertThat(read).asString().doesNotContain("some-key");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "$, kidn = x            | .kidn | one of the known keys | an unknown key (did you mean 'kind'?)",
        "$, identity.orgg = x   | .identity.orgg | one of the known keys | an unknown key (did you mean 'org'?)",
        "class = ci, identity { org = a, project = p } | .kind | a text | nothing",
        "kind = k, identity { org = a, project = p } | .class | a text | nothing",
        "kind = k, class = ci   | .identity.org | a text | nothing",
        "$, class = Ci          | .class | a class of lower-case letters | \"Ci\"",
        "kind = k, class = ci, identity { project = p } | .identity.org | a text | nothing",
        "$, cost = -1           | .cost | an integer from 0 to 1000000 | -1",
        "$, timeout = 6m        | .timeout | a duration from 1ms to 5m | \"6m\"",
        "$, patience = 0s       | .patience | a duration from 1s | \"0s\"",
        "$, validity = soon     | .validity | a duration from 1s | \"soon\"",
        "$, repeatable = maybe  | .repeatable | true or false | \"maybe\"",
        "$, on-nested-refused = allow | .on-nested-refused | one of deny, unavailable | \"allow\"",
        "$, disclosure = some   | .disclosure | one of full, summary, digest | \"some\"",
        "$, max-answer = 17 MiB | .max-answer | a size from 1 to 16777216 bytes | \"17 MiB\"",
        "$, settings = 5        | .settings | a JSON object | 5"
      })
  void namesKeyPlaceExpectationAndFinding(String block, String key, String expected, String found) {
    assertThatThrownBy(() -> one(block.replace("$", REST)))
        .isInstanceOfSatisfying(
            SettingsException.class,
            e ->
                assertThat(e.problems())
                    .anySatisfy(
                        problem -> {
                          assertThat(problem.key()).isEqualTo("heldcall.witnesses.build" + key);
                          assertThat(problem.place()).endsWith("node.conf:2");
                          assertThat(problem.expected()).startsWith(expected);
                          assertThat(problem.found()).isEqualTo(found);
                        }));
  }

  @ParameterizedTest
  @CsvSource({"Build", "a_b", "1a", "'\"a.b\"'"})
  void refusesANameThatIsNone(String name) {
    assertThatThrownBy(() -> load("heldcall.witnesses { " + name + " { " + REST + " } }"))
        .hasMessageContaining("a name of at most 32 lower-case letters, digits and hyphens");
  }

  @Test
  void anEmptyPublicUrlIsNoUrl() throws Exception {
    assertThat(load("heldcall.http.public-url = \"https://h.example/x/\"").http().publicUrl())
        .isEqualTo("https://h.example/x");
    assertThatThrownBy(() -> load("heldcall.http.public-url = \"h.example\""))
        .hasMessageContaining("heldcall.http.public-url")
        .hasMessageContaining("an absolute http or https URL without query and fragment");
  }
}
