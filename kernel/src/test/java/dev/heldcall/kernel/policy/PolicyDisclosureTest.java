package dev.heldcall.kernel.policy;

import static dev.heldcall.kernel.policy.PolicyTestData.call;
import static dev.heldcall.kernel.policy.PolicyTestData.json;
import static dev.heldcall.kernel.policy.PolicyTestData.tool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.ToolEntry;
import dev.heldcall.plugin.api.VerdictKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What others see of arguments, by tool entry and rules. */
class PolicyDisclosureTest {

  private static DisclosureRule rule(Disclosure disclosure, String... redact) {
    return new DisclosureRule(disclosure, new TreeSet<>(Set.of(redact)));
  }

  private static ToolEntry pay(DisclosureRule disclosure) {
    ToolEntry plain = tool("pay", null);
    return new ToolEntry(
        plain.name(),
        plain.executor(),
        plain.url(),
        plain.method(),
        plain.capability(),
        plain.timeout(),
        plain.idempotent(),
        plain.keyRetention(),
        plain.readBackUrl(),
        plain.schema(),
        plain.resultSchema(),
        plain.maxResultBytes(),
        disclosure);
  }

  private static PolicyLayers layers(
      DisclosureRule tool, String floorRules, @Nullable String organizationRules) {
    try {
      return PolicyLayers.compile(
          json("{rules: [" + floorRules + "]}"),
          organizationRules == null ? null : json("{rules: [" + organizationRules + "]}"),
          Map.of("pay", pay(tool)));
    } catch (PolicyException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String says(String id, String verdict, String rest) {
    return "{id: '" + id + "', tools: ['pay'], verdict: '" + verdict + "', " + rest + "}";
  }

  private static DisclosureRule shown(
      DisclosureRule tool, String floorRules, @Nullable String organizationRules) {
    return layers(tool, floorRules, organizationRules)
        .adjudicate(call("pay", "{n: 1}"))
        .disclosure();
  }

  @Test
  void nothingSaidShowsAll() {
    assertThat(shown(DisclosureRule.FULL, says("a", "ALLOW", "message: 'm'"), null))
        .isEqualTo(DisclosureRule.FULL);
  }

  @ParameterizedTest
  @CsvSource({"ALLOW", "DENY", "DEFER"})
  void aRuleCountsWheneverItMatchesWhateverItsVerdict(String verdict) {
    assertThat(shown(DisclosureRule.FULL, says("a", verdict, "redact: ['/x']"), null))
        .isEqualTo(rule(Disclosure.SUMMARY, "/x"));
    assertThat(
            shown(
                DisclosureRule.FULL,
                says("a", verdict, "when: 'args.n > 1', redact: ['/x']"),
                null))
        .isEqualTo(DisclosureRule.FULL);
  }

  @Test
  void theLeastIsShownAndRedactionsAreUnited() {
    assertThat(
            shown(
                rule(Disclosure.SUMMARY, "/card"),
                says("a", "ALLOW", "redact: ['/x']")
                    + ","
                    + says("b", "DEFER", "disclosure: 'full'"),
                says("c", "DEFER", "redact: ['/y']")))
        .isEqualTo(rule(Disclosure.SUMMARY, "/card", "/x", "/y"));
    assertThat(
            shown(
                rule(Disclosure.SUMMARY, "/card"),
                says("a", "ALLOW", "redact: ['/x']"),
                says("c", "DEFER", "disclosure: 'digest'")))
        .isEqualTo(rule(Disclosure.DIGEST));
  }

  @Test
  void aSummaryShowsAllButWhatTheToolDeclares() {
    DisclosureRule declares = rule(Disclosure.FULL, "/card");
    assertThat(shown(declares, says("a", "ALLOW", "message: 'm'"), null)).isEqualTo(declares);
    assertThat(shown(declares, says("a", "ALLOW", "disclosure: 'summary'"), null))
        .isEqualTo(rule(Disclosure.SUMMARY, "/card"));
    assertThat(
            shown(
                declares,
                says("a", "ALLOW", "message: 'm'"),
                says("b", "DEFER", "disclosure: 'summary'")))
        .isEqualTo(rule(Disclosure.SUMMARY, "/card"));
  }

  /** Invariant 8: fields that a lower layer declares do not open what is shown by kind only. */
  @Test
  void aLowerLayerOnlyNarrows() {
    String kinds = says("a", "ALLOW", "disclosure: 'summary'");
    assertThat(shown(DisclosureRule.FULL, kinds, says("b", "DEFER", "redact: ['/x']")))
        .isEqualTo(rule(Disclosure.SUMMARY));
    assertThat(shown(DisclosureRule.FULL, kinds, says("b", "DEFER", "disclosure: 'full'")))
        .isEqualTo(rule(Disclosure.SUMMARY));
  }

  @Test
  void aConditionThatFailsShowsNoMoreThanOneThatHolds() {
    Adjudication denied =
        layers(
                DisclosureRule.FULL,
                says("a", "ALLOW", "when: 'args.none > 1', disclosure: 'digest'"),
                null)
            .adjudicate(call("pay", "{n: 1}"));
    assertThat(denied.verdict()).isEqualTo(VerdictKind.DENY);
    assertThat(denied.disclosure()).isEqualTo(rule(Disclosure.DIGEST));
  }

  @Test
  void whatTheCapabilityFloorDeniesIsNotShownForIt() {
    CallUnderPolicy without =
        call(Boundary.TOOL, "pay", "{n: 1}", PolicyTestData.agent(), null, null);
    Adjudication denied =
        layers(rule(Disclosure.SUMMARY, "/card"), says("a", "ALLOW", "redact: ['/x']"), null)
            .adjudicate(without);
    assertThat(denied.verdict()).isEqualTo(VerdictKind.DENY);
    assertThat(denied.disclosure()).isEqualTo(rule(Disclosure.SUMMARY, "/card", "/x"));
  }

  @Test
  void tooManyFieldsTogetherShowKindsOnly() {
    StringBuilder fields = new StringBuilder();
    for (int i = 0; i < DisclosureRule.MAX_REDACT; i++) {
      fields.append(i == 0 ? "" : ",").append("'/f").append(i).append("'");
    }
    assertThat(
            shown(
                rule(Disclosure.SUMMARY, "/one"),
                says("a", "ALLOW", "redact: [" + fields + "]"),
                null))
        .isEqualTo(rule(Disclosure.SUMMARY));
  }

  @Test
  void whatMayBeSeenIsPartOfThePolicyVersionAndMakesNoOtherTool() {
    PolicyLayers plain = layers(DisclosureRule.FULL, "", null);
    PolicyLayers redacted = layers(rule(Disclosure.SUMMARY, "/card"), "", null);
    assertThat(redacted.policyVersion()).isNotEqualTo(plain.policyVersion());
    assertThat(redacted.toolDigest("pay")).isEqualTo(plain.toolDigest("pay"));
  }

  @Test
  void wordsSayNoArgument() {
    for (String when :
        List.of("int(args.s) > 1", "args.m[args.s] == 1", "timestamp(args.s) == null")) {
      Adjudication denied =
          layers(DisclosureRule.FULL, says("a", "ALLOW", "when: '" + when + "'"), null)
              .adjudicate(call("pay", "{s: 'canary', m: {}}"));
      assertThat(denied.verdict()).as(when).isEqualTo(VerdictKind.DENY);
      assertThat(denied.reasons().toString())
          .as(when)
          .contains("could not be evaluated")
          .doesNotContain("canary");
    }
  }
}
