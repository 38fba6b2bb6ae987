package dev.heldcall.witness.git;

import static dev.heldcall.witness.FactRequests.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What stops the start, and where it says so. */
class GitAncestrySettingsTest {

  private static final String GOOD =
      "{'repositories':{'app':'/srv/app.git'},'commit':'/commit','facts':{'ancestor-of':'main'}}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'repositories':{}}|repositories|one repository or more",
        "{'repositories':{'app':'app.git'}}|repositories.app|an absolute path",
        "{'repositories':{'../a':'/srv/a'}}|repositories.../a|a name of letters",
        "{'repository':'other'}|repository|one of the repositories",
        "{'repository':7}|repository|a text, or { args = a JSON Pointer }",
        "{'repository':{'args':'name'}}|repository.args|a JSON Pointer",
        "{'repositories':{'a':'/srv/a','b':'/srv/b'}}|repository|a text, or { args",
        "{'commit':'abc'}|commit|a JSON Pointer",
        "{'facts':{}}|facts|one or more of ancestor-of, signed-by, unchanged",
        "{'facts':{'ancestor-of':'ma..in'}}|facts.ancestor-of|the name of a branch",
        "{'facts':{'ancestor-of':{'args':'/b'}}}|facts.ancestor-of.one-of|may choose from",
        "{'facts':{'signed-by':{}}}|facts.signed-by.allowed-signers|a text",
        "{'facts':{'signed-by':{'allowed-signers':'/no/such'}}}|facts.signed-by.allowed-signers|can be read",
        "{'facts':{'signed-by':{'format':'openpgp','allowed-signers':'/x'}}}|facts.signed-by.format|OpenPGP",
        "{'facts':{'unchanged':{'base':'main'}}}|facts.unchanged.paths|1 to 64 paths",
        "{'facts':{'unchanged':{'base':'main','paths':['/etc']}}}|facts.unchanged.paths|of a tree",
        "{'facts':{'unchanged':{'paths':['a']}}}|facts.unchanged.base|a text, or",
        "{'facts':{'merged':true}}|facts.merged|one of the keys",
        "{'fetch':{'remote':'https://x/y'}}|fetch.remote|the name of a remote",
        "{'fetch':{'remote':'o','timeout':'soon'}}|fetch.timeout|a duration such as 10s",
        "{'look-after':'0s'}|look-after|a duration",
        "{'max-at-once':'4'}|max-at-once|a whole number",
        "{'branch':'main'}|branch|one of the keys"
      })
  void aMistakeIsNamed(String change, String path, String expected) {
    ObjectNode settings = (ObjectNode) json(GOOD);
    settings.setAll((ObjectNode) json(change));
    InvalidProviderSettings mistake =
        catchThrowableOfType(
            InvalidProviderSettings.class, () -> new GitAncestrySettingsReader(settings).read());
    assertThat(mistake).isNotNull();
    assertThat(mistake.path()).isEqualTo(path);
    assertThat(mistake.expected()).contains(expected);
  }

  @Test
  void theOnlyRepositoryNeedsNoChoice() throws Exception {
    GitAncestrySettings read = new GitAncestrySettingsReader(json(GOOD)).read();
    assertThat(read.repositories().has("app")).isTrue();
    assertThat(read.lookAfter()).isEqualTo(Duration.ofSeconds(30));
    assertThat(read.maxAtOnce()).isEqualTo(4);
  }
}
