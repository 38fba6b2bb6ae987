package dev.heldcall.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DevProfileTest {

  private static HeldcallSettings dev(Map<String, String> env) throws SettingsException {
    return SettingsReader.load(List.of(), env, Overrides.none(), SettingsReader.DEV);
  }

  private static Principal principal(String token) throws SettingsException {
    return dev(Map.of()).auth().tokens().stream()
        .filter(entry -> entry.sha256().equals(DevTokens.sha256(token)))
        .map(TokenSettings::principal)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "dev-agent, agent-1, agent, '', 'notes.write payments.write'",
    "dev-agent-2, agent-2, agent, '', 'notes.write payments.write'",
    "dev-alice, alice, witness, human, ''",
    "dev-bob, bob, witness, human, ''",
    "dev-fraud, fraud, witness, fraud-check, ''",
    "dev-compliance, compliance, witness, compliance, ''",
    "dev-breakglass, breakglass, witness, break-glass, ''",
    "dev-ci, ci, witness, ci, ''",
    "dev-peer, peer, witness, peer-model, ''",
    "dev-operator, operator, operator, '', ''",
    "dev-policy, policy, policy-owner, '', policy.change"
  })
  void hasTheWellKnownTokens(
      String token, String id, String role, String witnessClass, String capabilities)
      throws SettingsException {
    Principal principal = principal(token);

    assertThat(principal.id()).isEqualTo(id);
    assertThat(principal.org()).isEqualTo("acme");
    assertThat(principal.project()).isEqualTo("default");
    assertThat(principal.roles()).isEqualTo(Set.of(Role.of(role)));
    assertThat(String.join(" ", principal.witnessClasses())).isEqualTo(witnessClass);
    assertThat(String.join(" ", principal.capabilities())).isEqualTo(capabilities);
  }

  @Test
  void hasNoOtherTokens() throws SettingsException {
    assertThat(dev(Map.of()).auth().tokens()).hasSize(DevTokens.NAMES.size());
  }

  @Test
  void listensOnLoopbackAndKeepsTheEmbeddedDatabase() throws SettingsException {
    HeldcallSettings settings = dev(Map.of());

    assertThat(settings.profile()).isEqualTo("dev");
    assertThat(settings.http()).isEqualTo(new HttpSettings("127.0.0.1", 8080));
    assertThat(settings.db()).isNull();
    assertThat(settings.data()).isEqualTo(Path.of("./data"));
  }

  @Test
  void bringsTheDemosTools() throws SettingsException {
    var tools = dev(Map.of()).tools();

    assertThat(tools).containsOnlyKeys("money_transfer", "note_write");
    assertThat(tools.get("money_transfer"))
        .satisfies(
            tool -> {
              assertThat(tool.executor()).isEqualTo(ExecutorKind.HTTP);
              assertThat(tool.url()).isEqualTo("http://127.0.0.1:9090/transfers");
              assertThat(tool.capability()).isEqualTo("payments.write");
              assertThat(tool.timeout()).isEqualTo(Duration.ofSeconds(5));
              assertThat(tool.readBackUrl())
                  .isEqualTo("http://127.0.0.1:9090/transfers/{idempotency_key}");
              assertThat(String.valueOf(tool.schema()))
                  .contains("\"additionalProperties\":false")
                  .contains("\"amount_minor\":{\"minimum\":1,\"type\":\"integer\"}");
            });
  }

  @Test
  void bringsTheDemosFloor() throws SettingsException {
    var rules = dev(Map.of()).policy().floor().path("rules");

    assertThat(rules.findValuesAsText("id"))
        .containsExactly("transfer-large", "transfer", "note", "policy-change");
    assertThat(rules.path(0).path("contract").toString())
        .isEqualTo(
            "{\"expires_s\":600,\"independence\":[\"not-proposer\"],\"on_refuted\":\"deny\","
                + "\"rule\":\"human\",\"veto\":[]}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "10.0.0.7", "heldcall.example", "127.0.0.1.example"})
  void isRefusedBeyondLoopback(String host) {
    assertThatThrownBy(() -> dev(Map.of("HELDCALL_HTTP_INTERFACE", host)))
        .isInstanceOf(SettingsException.class)
        .hasMessage(
            "heldcall.http.interface (environment variable HELDCALL_HTTP_INTERFACE): expected a"
                + " loopback address, because the dev profile's tokens are configured, found \""
                + host
                + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "localhost"})
  void isServedOnLoopback(String host) throws SettingsException {
    assertThat(dev(Map.of("HELDCALL_HTTP_INTERFACE", host)).http().host()).isEqualTo(host);
  }

  @Test
  void aWellKnownTokenIsRefusedInAnyProfile(@TempDir Path dir) throws Exception {
    Path file = dir.resolve("prod.conf");
    Files.writeString(
        file,
        """
        heldcall.auth.tokens = [
          { sha256 = "%s", id = "a", org = "o", project = "p", roles = [agent] }
        ]
        """
            .formatted(DevTokens.sha256("dev-agent")));

    assertThatThrownBy(
            () ->
                SettingsReader.load(
                    List.of(file), Map.of(), Overrides.none(), SettingsReader.PRODUCTION))
        .isInstanceOf(SettingsException.class)
        .hasMessageContaining("heldcall.http.interface");
  }

  @Test
  void productionHasNoTokensNoToolsAndDefers() throws SettingsException {
    HeldcallSettings settings =
        SettingsReader.load(List.of(), Map.of(), Overrides.none(), SettingsReader.PRODUCTION);

    assertThat(settings.profile()).isEqualTo("production");
    assertThat(settings.auth().tokens()).isEmpty();
    assertThat(settings.tools()).isEmpty();
    assertThat(settings.policy().floor().toString())
        .isEqualTo("{\"default\":\"DEFER\",\"rules\":[]}");
  }
}
