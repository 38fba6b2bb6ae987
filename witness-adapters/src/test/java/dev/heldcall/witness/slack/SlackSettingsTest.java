package dev.heldcall.witness.slack;

import static dev.heldcall.witness.FactRequests.contract;
import static dev.heldcall.witness.FactRequests.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What settings are taken, and what is said of those that are not. */
class SlackSettingsTest {

  private static ObjectNode right() {
    return (ObjectNode)
        json(
            "{'token':'xoxb-1234567890','signing-secret':'8f742231b10e8888abcd99yyyzzz85a5',"
                + "'channel':'C061EG9T2'}");
  }

  @Test
  void threeAreEnough() throws InvalidProviderSettings {
    SlackSettings settings = SlackSettings.read(right(), contract("slack"));
    assertThat(settings.api()).hasToString("https://slack.com/api");
    assertThat(settings.hooks()).hasToString("https://hooks.slack.com");
    assertThat(settings.people()).isEmpty();
    assertThat(settings.team()).isNull();
    assertThat(settings.remindBefore()).isEmpty();
    assertThat(settings.maxAtOnce()).isEqualTo(16);
    assertThat(settings.historyPage()).isEqualTo(15);
    assertThat(settings.toString()).doesNotContain("xoxb");
  }

  @Test
  void allAreRead() throws InvalidProviderSettings {
    ObjectNode all = right();
    all.put("previous-signing-secret", "0f742231b10e8888abcd99yyyzzz85a5")
        .put("api", "https://proxy.example/slack/")
        .put("team", "T1DC2JH3J")
        .put("max-at-once", 4)
        .put("history-page", 200);
    all.set("remind", json("['5m','30m']"));
    all.set("routes", json("[{'tools':['payments.*','*_transfer'],'channel':'C0PAY'}]"));
    all.set("people", json("{'U2CERLKJA':{'id':'alice'}}"));
    SlackSettings settings = SlackSettings.read(all, contract("slack"));
    assertThat(settings.api()).hasToString("https://proxy.example/slack");
    assertThat(settings.remindBefore())
        .containsExactly(Duration.ofMinutes(30), Duration.ofMinutes(5));
    assertThat(settings.channels().of("payments.refund")).isEqualTo("C0PAY");
    assertThat(settings.channels().of("money_transfer")).isEqualTo("C0PAY");
    assertThat(settings.channels().of("paymentsxrefund")).isEqualTo("C061EG9T2");
    assertThat(settings.channels().of("money_transfers")).isEqualTo("C061EG9T2");
    assertThat(settings.people()).containsOnlyKeys("U2CERLKJA");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "token|null|token",
        "token|'with blank'|token",
        "token-env|'NO_SUCH_VARIABLE'|token-env",
        "signing-secret|null|signing-secret",
        "signing-secret|'short'|signing-secret",
        "previous-signing-secret|'short'|previous-signing-secret",
        "channel|null|channel",
        "channel|'#approvals'|channel",
        "routes|[{'tools':[],'channel':'C0PAY'}]|routes.0.tools",
        "routes|[{'tools':['a b'],'channel':'C0PAY'}]|routes.0.tools",
        "routes|[{'tools':['*a*a*a*a*'],'channel':'C0PAY'}]|routes.0.tools",
        "routes|[{'tools':['a'],'channel':'pay'}]|routes.0.channel",
        "routes|[{'tools':['a']}]|routes.0.channel",
        "routes|[{'tools':['a'],'channel':'C0PAY','tool':'a'}]|routes.0.tool",
        "routes|{'a':'C0PAY'}|routes",
        "people|{'alice':{'id':'alice'}}|people",
        "people|{'U2CERLKJA':{}}|people.U2CERLKJA.id",
        "people|{'U2CERLKJA':{'id':'alice','org':'evil'}}|people.U2CERLKJA.org",
        "team|'acme'|team",
        "api|'https://slack.com/api?x=1'|api",
        "hooks|'hooks.slack.com'|hooks",
        "remind|['0s']|remind",
        "remind|['5m','300s']|remind",
        "max-at-once|0|max-at-once",
        "history-page|201|history-page",
        "chanel|'C061EG9T2'|chanel"
      })
  void mistakesAreNamed(String key, String value, String place) {
    ObjectNode wrong = right();
    if (key.equals("token-env")) {
      wrong.remove("token");
    }
    wrong.set(key, json(value));
    InvalidProviderSettings mistake =
        catchThrowableOfType(
            InvalidProviderSettings.class, () -> SlackSettings.read(wrong, contract("slack")));
    assertThat(mistake.path()).isEqualTo(place);
    assertThat(mistake.expected()).isNotBlank();
    assertThat(mistake).hasMessageNotContainingAny("xoxb-1234", "8f742231", "with blank");
  }
}
