package dev.heldcall.kernel.witness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.heldcall.plugin.api.WitnessRule;
import dev.heldcall.plugin.api.WitnessRule.AllOf;
import dev.heldcall.plugin.api.WitnessRule.AnyOf;
import dev.heldcall.plugin.api.WitnessRule.Fallback;
import dev.heldcall.plugin.api.WitnessRule.OfClass;
import dev.heldcall.plugin.api.WitnessRule.Quorum;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleParserTest {

  private static final WitnessRule HUMAN = new OfClass("human");
  private static final WitnessRule CI = new OfClass("ci");
  private static final WitnessRule PEER = new OfClass("peer-model");

  @Test
  void readsTheGrammarOfTheDesign() {
    assertThat(RuleParser.parse("human")).isEqualTo(HUMAN);
    assertThat(RuleParser.parse("quorum(2, human)")).isEqualTo(new Quorum(2, "human", 1));
    assertThat(RuleParser.parse("quorum(3,human,deny 2)")).isEqualTo(new Quorum(3, "human", 2));
    assertThat(RuleParser.parse("human & ci")).isEqualTo(new AllOf(List.of(HUMAN, CI)));
    assertThat(RuleParser.parse("human|ci")).isEqualTo(new AnyOf(List.of(HUMAN, CI)));
    assertThat(RuleParser.parse(" fallback( ci , 10m , human ) "))
        .isEqualTo(new Fallback(CI, Duration.ofMinutes(10), HUMAN));
  }

  @Test
  void andBindsCloserThanOr() {
    assertThat(RuleParser.parse("human & ci | peer-model"))
        .isEqualTo(new AnyOf(List.of(new AllOf(List.of(HUMAN, CI)), PEER)));
    assertThat(RuleParser.parse("human & (ci | peer-model)"))
        .isEqualTo(new AllOf(List.of(HUMAN, new AnyOf(List.of(CI, PEER)))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "human;human",
        "((human));human",
        "all(human, ci);human & ci",
        "any(human, all(ci, peer-model));human | ci & peer-model",
        "all(any(human, ci), peer-model);(human | ci) & peer-model",
        "all(human);human",
        "human&(ci&peer-model);human & ci & peer-model",
        "(human|ci)|peer-model;human | ci | peer-model",
        "human & human;human & human",
        "quorum(02, human, deny 1);quorum(2, human)",
        "quorum(2,human,deny 2);quorum(2, human, deny 2)",
        "quorum(1, human);quorum(1, human)",
        "fallback(ci, 600s, (human));fallback(ci, 10m, human)",
        "fallback(ci | human, 24h, human & ci);fallback(ci | human, 1d, human & ci)",
        "fallback(ci, 90s, human) & ci;fallback(ci, 90s, human) & ci",
        "fallback(ci, 500ms, human);fallback(ci, 500ms, human)",
        "fallback(ci, 7d, fallback(human, 2h, peer-model));fallback(ci, 7d, fallback(human, 2h, peer-model))",
        "quorum & fallback | all & any & deny;quorum & fallback | all & any & deny",
        "quorum(2, deny, deny 2);quorum(2, deny, deny 2)",
        "quorum(2, quorum);quorum(2, quorum)",
        "x9--z-;x9--z-",
      })
  void hasOneCanonicalText(String written, String canonical) {
    WitnessRule rule = RuleParser.parse(written);
    assertThat(RuleText.of(rule)).isEqualTo(canonical);
    assertThat(RuleParser.parse(canonical)).isEqualTo(rule);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "``;0;a witness class, '(', quorum(, fallback(, all( or any(;the end of the rule",
        "`   `;3;a witness class, '(', quorum(, fallback(, all( or any(;the end of the rule",
        "human &;7;a witness class, '(', quorum(, fallback(, all( or any(;the end of the rule",
        "human ci;6;'&', '|' or the end of the rule;'ci'",
        "human(ci);5;'&', '|' or the end of the rule;'('",
        "human);5;'&', '|' or the end of the rule;')'",
        "(human;6;'&', '|' or ')';the end of the rule",
        "Human;0;a witness class, '(', quorum(, fallback(, all( or any(;'H'",
        "human_1;5;'&', '|' or the end of the rule;'_'",
        "2humans;0;a witness class, '(', quorum(, fallback(, all( or any(;'2humans'",
        "human && ci;7;a witness class, '(', quorum(, fallback(, all( or any(;'&'",
        "human é;6;'&', '|' or the end of the rule;'é'",
        "human \uD83D\uDE00;6;'&', '|' or the end of the rule;'\uD83D\uDE00'",
        "deny(human);0;a witness class, '(', quorum(, fallback(, all( or any(;'deny'",
        "quorum();7;a count from 1 to 1000;')'",
        "quorum(0, human);7;a count from 1 to 1000;'0'",
        "quorum(1001, human);7;a count from 1 to 1000;'1001'",
        "quorum(99999999999, human);7;a count from 1 to 1000;'99999999999'",
        "quorum(2x, human);7;a count from 1 to 1000;'2x'",
        "quorum(2 human);9;',';'human'",
        "quorum(2, human & ci);16;',' or ')';'&'",
        "quorum(2, human, 2);17;deny and a count;'2'",
        "quorum(2, human, deny 0);22;a count from 1 to 1000;'0'",
        "quorum(2, human, deny 2, ci);23;')';','",
        "fallback(ci, human);13;a duration from 1ms to 3650d, such as 10m;'human'",
        "fallback(ci, 10, human);13;a duration from 1ms to 3650d, such as 10m;'10'",
        "fallback(ci, 0s, human);13;a duration from 1ms to 3650d, such as 10m;'0s'",
        "fallback(ci, 10w, human);13;a duration from 1ms to 3650d, such as 10m;'10w'",
        "fallback(ci, 3651d, human);13;a duration from 1ms to 3650d, such as 10m;'3651d'",
        "fallback(ci, 10m);16;',';')'",
        "fallback(ci, 10m, human, ci);23;'&', '|' or ')';','",
        "all();4;a witness class, '(', quorum(, fallback(, all( or any(;')'",
        "any(ci, human;13;'&', '|', ',' or ')';the end of the rule",
      })
  void saysWhereWhatWasExpectedAndWhatIsThere(
      String text, int position, String expected, String found) {
    assertThatExceptionOfType(RuleSyntaxException.class)
        .isThrownBy(() -> RuleParser.parse(text))
        .satisfies(
            wrong -> {
              assertThat(wrong.position()).isEqualTo(position);
              assertThat(wrong.expected()).isEqualTo(expected);
              assertThat(wrong.found()).isEqualTo(found);
            })
        .withMessage("at position %d: expected %s, found %s", position, expected, found);
  }

  @Test
  void aLongStrayTokenIsCutInTheMessage() {
    assertThatExceptionOfType(RuleSyntaxException.class)
        .isThrownBy(() -> RuleParser.parse("human " + "x".repeat(100)))
        .satisfies(wrong -> assertThat(wrong.found()).isEqualTo("'" + "x".repeat(40) + "…'"));
  }

  @Test
  void textIsBoundedAsWrittenAndInCanonicalForm() {
    assertThat(RuleParser.parse("h".repeat(RuleParser.MAX_LENGTH))).isInstanceOf(OfClass.class);
    assertThatExceptionOfType(RuleSyntaxException.class)
        .isThrownBy(() -> RuleParser.parse("h".repeat(RuleParser.MAX_LENGTH + 1)))
        .withMessageContaining("at most 4096 characters, found 4097 characters");
    assertThatExceptionOfType(RuleSyntaxException.class)
        .isThrownBy(() -> RuleParser.parse("a&".repeat(2_000) + "a"))
        .withMessageContaining("at most 4096 characters in canonical form");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"(%s)", "all(%s)", "any(%s)", "fallback(%s, 1s, a)", "fallback(a, 1s, %s)"})
  void nestingIsBounded(String level) {
    String deep = "a";
    for (int i = 0; i < RuleParser.MAX_NESTING; i++) {
      deep = level.formatted(deep);
    }
    assertThat(RuleParser.parse(deep)).isNotNull();
    String deeper = level.formatted(deep);
    assertThatExceptionOfType(RuleSyntaxException.class)
        .isThrownBy(() -> RuleParser.parse(deeper))
        .withMessageContaining("at most 32 nested parentheses");
  }

  @Test
  void emptyPartsHaveNoForm() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RuleText.of(new AllOf(List.of(new AnyOf(List.of())))));
  }

  @Test
  void durationsWithPartsOfAMillisecondHaveNoForm() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RuleText.of(new Fallback(CI, Duration.ofNanos(1_000_001), HUMAN)));
  }

  @Property(tries = 1_000)
  void theCanonicalTextParsesToTheNormalizedRule(@ForAll("rules") WitnessRule rule) {
    String text = RuleText.of(rule);
    assertThat(RuleParser.parse(text)).isEqualTo(RuleParser.normalize(rule));
    assertThat(RuleText.of(RuleParser.parse(text))).isEqualTo(text);
    assertThat(text).doesNotContain("  ");
  }

  @Provide
  Arbitrary<WitnessRule> rules() {
    return Rules.random(4, 3, "human", "ci", "quorum", "deny", "fallback");
  }
}
