package dev.heldcall.kernel.witness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.heldcall.plugin.api.WitnessRule;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleJsonTest {

  @Test
  void everyKindHasItsForm() {
    String text = "quorum(2, human) & (ci | fallback(peer-model, 90s, human))";
    assertThat(RuleJson.of(RuleParser.parse(text)))
        .hasToString(
            "{\"all\":[{\"quorum\":{\"count\":2,\"class\":\"human\",\"deny\":1}},"
                + "{\"any\":[{\"class\":\"ci\"},{\"fallback\":{\"first\":{\"class\":\"peer-model\"},"
                + "\"after\":\"90s\",\"then\":{\"class\":\"human\"}}}]}]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "[];at '': expected an object",
        "{};at '': expected an object",
        "{\"class\":\"a\",\"all\":[]};at '': expected an object",
        "{\"clas\":\"a\"};at '': expected one of class",
        "{\"class\":\"a & b\"};at '/class': expected a witness class",
        "{\"class\":\"\"};at '/class': expected a witness class",
        "{\"class\":1};at '/class': expected a witness class",
        "{\"all\":[]};at '/all': expected an array of rules",
        "{\"all\":[{\"class\":\"a\"},{\"any\":{}}]};at '/all/1/any': expected an array of rules",
        "{\"quorum\":3};at '/quorum': expected an object of class, count, deny",
        "{\"quorum\":{\"count\":0,\"class\":\"a\"}};at '/quorum/count': expected a count",
        "{\"quorum\":{\"count\":1.5,\"class\":\"a\"}};at '/quorum/count': expected a count",
        "{\"quorum\":{\"count\":1001,\"class\":\"a\"}};at '/quorum/count': expected a count",
        "{\"quorum\":{\"count\":2}};at '/quorum/class': expected a witness class",
        "{\"quorum\":{\"count\":2,\"class\":\"a\",\"denies\":2}};at '/quorum': expected only",
        "{\"fallback\":{\"first\":{\"class\":\"a\"},\"after\":\"soon\",\"then\":{\"class\":\"a\"}}};at '/fallback/after': expected a duration",
        "{\"fallback\":{\"first\":{\"class\":\"a\"},\"after\":\"1s\"}};at '/fallback/then': expected an object",
      })
  void refusesWithThePlace(String json, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RuleJson.parse(tree(json)))
        .withMessageStartingWith(message);
  }

  @Test
  void refusesDepth() {
    String deep = "{\"all\":[".repeat(200) + "{\"class\":\"a\"}" + "]}".repeat(200);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RuleJson.parse(tree(deep)))
        .withMessageContaining("at most 128 nested rules");
  }

  @Test
  void whatTheParserTakesAtItsDeepestHasAJsonForm() {
    String deep = "a";
    for (int i = 0; i < RuleParser.MAX_NESTING; i++) {
      deep = "fallback(a & b | a & " + deep + " | b, 1s, b)";
    }
    WitnessRule rule = RuleParser.parse(deep);
    assertThat(RuleJson.parse(RuleJson.of(rule))).isEqualTo(rule);
  }

  @Property(tries = 500)
  void theJsonFormParsesToTheNormalizedRule(@ForAll("rules") WitnessRule rule) {
    assertThat(RuleJson.parse(RuleJson.of(rule))).isEqualTo(RuleParser.normalize(rule));
  }

  @Provide
  Arbitrary<WitnessRule> rules() {
    return Rules.random(4, 3, "human", "ci", "peer-model");
  }

  private static JsonNode tree(String json) {
    try {
      return new ObjectMapper().readTree(json);
    } catch (JsonProcessingException broken) {
      throw new AssertionError(broken);
    }
  }
}
