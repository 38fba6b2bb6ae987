package dev.heldcall.kernel.policy;

import static dev.heldcall.kernel.policy.PolicyTestData.agent;
import static dev.heldcall.kernel.policy.PolicyTestData.call;
import static dev.heldcall.kernel.policy.PolicyTestData.json;
import static dev.heldcall.kernel.policy.PolicyTestData.layers;
import static dev.heldcall.kernel.policy.PolicyTestData.policyOwner;
import static dev.heldcall.kernel.policy.PolicyTestData.tool;
import static dev.heldcall.kernel.policy.PolicyTestData.tools;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.OnRefuted;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.ToolEntry;
import dev.heldcall.plugin.api.VerdictKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The fold of the layers, row by row; long because every row is spelled out. */
class PolicyLayersTest {

  private static final String FLOOR =
      """
      {rules: [
        {id: 'large', tools: ['pay'], when: 'args.n >= 100', verdict: 'REQUIRE_WITNESS',
         contract: {rule: 'human', expires_s: 600}, message: 'too much'},
        {id: 'pay', tools: ['pay'], verdict: 'ALLOW'}]}
      """;

  private static VerdictKind verdict(
      String floor, @Nullable String organization, CallUnderPolicy call) {
    return layers(floor, organization).adjudicate(call).verdict();
  }

  @Test
  void theMostRestrictiveRuleOfALayerWins() {
    PolicyLayers layers = layers(FLOOR, null);

    assertThat(layers.adjudicate(call("pay", "{n: 99}")).verdict()).isEqualTo(VerdictKind.ALLOW);
    assertThat(layers.adjudicate(call("pay", "{n: 100}")))
        .isEqualTo(
            new Adjudication(
                VerdictKind.REQUIRE_WITNESS,
                new Contract("human", new TreeSet<>(), new TreeSet<>(), OnRefuted.DENY, 600, false),
                List.of(new Reason("floor", "large", "too much")),
                List.of(
                    new Trace("floor", "large", VerdictKind.REQUIRE_WITNESS, "too much"),
                    new Trace("floor", "pay", VerdictKind.ALLOW, "allowed by rule 'pay'"))));
  }

  @Test
  void aConditionThatFailsDeniesAndSaysWhy() {
    Adjudication result = layers(FLOOR, null).adjudicate(call("pay", "{}"));

    assertThat(result.verdict()).isEqualTo(VerdictKind.DENY);
    assertThat(result.contract()).isNull();
    assertThat(result.reasons())
        .singleElement()
        .satisfies(
            reason -> {
              assertThat(reason.layer()).isEqualTo("floor");
              assertThat(reason.rule()).isEqualTo("large");
              assertThat(reason.message()).contains("could not be evaluated");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "git.*, git.push, true",
    "git.*, gitpush, false",
    "git.push, git.push, true",
    "git.pus, git.push, false",
    "*, pay, true",
    "p*, pay, true"
  })
  void rulesMatchByNameAndPrefix(String pattern, String tool, boolean matches) {
    String floor = "{rules: [{id: 'a', tools: ['" + pattern + "'], verdict: 'ALLOW'}]}";
    CallUnderPolicy gate = call(Boundary.DISPATCH, tool, "{}", agent(), null, null);

    assertThat(layers(floor, null).adjudicate(gate).verdict())
        .isEqualTo(matches ? VerdictKind.ALLOW : VerdictKind.INDETERMINATE);
  }

  @Test
  void nobodyDecidedIsIndeterminateWithAReason() {
    Adjudication result = layers("{}", "{}").adjudicate(call("pay", "{}"));

    assertThat(result.verdict()).isEqualTo(VerdictKind.INDETERMINATE);
    assertThat(result.reasons()).extracting(Reason::layer).containsExactly("kernel");
    assertThat(result.trace()).isEmpty();
  }

  @Test
  void aDefaultDecidesWhereNoRuleMatches() {
    assertThat(verdict("{default: 'ALLOW'}", null, call("pay", "{}"))).isEqualTo(VerdictKind.ALLOW);
    assertThat(verdict("{default: 'ALLOW'}", "{default: 'DENY'}", call("pay", "{}")))
        .isEqualTo(VerdictKind.DENY);
    assertThat(layers("{default: 'DENY'}", null).adjudicate(call("pay", "{}")).reasons())
        .extracting(Reason::rule)
        .containsExactly("default");
  }

  @Nested
  class Layering {

    private static final String ALLOW_ALL =
        "{rules: [{id: 'all', tools: ['*'], verdict: 'ALLOW'}]}";

    @Test
    void theOrganizationNarrowsTheFloor() {
      String deny = "{rules: [{id: 'no', tools: ['pay'], verdict: 'DENY'}]}";

      assertThat(verdict(ALLOW_ALL, deny, call("pay", "{}"))).isEqualTo(VerdictKind.DENY);
      assertThat(verdict(deny, ALLOW_ALL, call("pay", "{}"))).isEqualTo(VerdictKind.DENY);
    }

    @Test
    void theOrganizationDecidesWhereTheFloorDefers() {
      assertThat(verdict("{}", ALLOW_ALL, call("pay", "{}"))).isEqualTo(VerdictKind.ALLOW);
    }

    @Test
    void contractsOfLayersAreJoined() {
      String organization =
          """
          {rules: [{id: 'ci', tools: ['*'], verdict: 'REQUIRE_WITNESS', contract: {
            rule: 'ci', veto: ['compliance'], expires_s: 60, independence: ['distinct-identities']}}]}
          """;
      @Nullable Contract contract =
          layers(FLOOR, organization).adjudicate(call("pay", "{n: 100}", "human", 30L)).contract();

      assertThat(contract)
          .isEqualTo(
              new Contract(
                  "ci & human",
                  new TreeSet<>(Set.of("compliance")),
                  new TreeSet<>(Set.of(Independence.DISTINCT_IDENTITIES)),
                  OnRefuted.DENY,
                  30,
                  false));
    }

    @Test
    void aProposalMayDemandAWitnessForItself() {
      Adjudication result =
          layers(ALLOW_ALL, null).adjudicate(call("pay", "{}", "quorum(2, human)", null));

      assertThat(result.verdict()).isEqualTo(VerdictKind.REQUIRE_WITNESS);
      assertThat(result.contract()).isEqualTo(Contract.of("quorum(2, human)"));
      assertThat(result.reasons()).extracting(Reason::layer).containsExactly("call");
    }

    @Test
    void aProposalsDemandWidensNothing() {
      assertThat(layers("{}", null).adjudicate(call("pay", "{}", "ci", null)).verdict())
          .isEqualTo(VerdictKind.INDETERMINATE);
      assertThat(
              layers("{default: 'DENY'}", null).adjudicate(call("pay", "{}", "ci", null)).verdict())
          .isEqualTo(VerdictKind.DENY);
    }

    @Test
    void aJoinedRuleBeyondItsBoundsDenies() {
      StringBuilder rules = new StringBuilder("{rules: [");
      for (int i = 0; i < 60; i++) {
        rules.append(
            "{id: 'r%d', tools: ['*'], verdict: 'REQUIRE_WITNESS', contract: {rule: 'c%d%s'}},"
                .formatted(i, i, "x".repeat(100)));
      }
      rules.setLength(rules.length() - 1);
      Adjudication result =
          layers(rules.append("]}").toString(), null).adjudicate(call("pay", "{}"));

      assertThat(result.verdict()).isEqualTo(VerdictKind.DENY);
      assertThat(result.reasons().getFirst().message()).contains("exceeds its bounds");
      assertThat(result.reasons()).hasSize(Adjudication.MAX_REASONS);
    }
  }

  @Nested
  class TheCapabilityFloor {

    private static final String ALLOW = "{default: 'ALLOW'}";

    @Test
    void deniesWithoutTheToolsCapability() {
      Adjudication result =
          layers(ALLOW, null)
              .adjudicate(call(Boundary.TOOL, "pay", "{}", agent("other"), null, null));

      assertThat(result.verdict()).isEqualTo(VerdictKind.DENY);
      assertThat(result.reasons())
          .containsExactly(
              new Reason(
                  "capability-floor", "", "'agent-1' does not hold the capability 'use.pay'"));
    }

    @Test
    void deniesAToolThatIsNotRegistered() {
      assertThat(layers(ALLOW, null).adjudicate(call("gone", "{}")).verdict())
          .isEqualTo(VerdictKind.DENY);
    }

    @Test
    void asksNothingOfAGate() {
      assertThat(
              layers(ALLOW, null)
                  .adjudicate(call(Boundary.PLAN, "release-plan", "{}", agent(), null, null))
                  .verdict())
          .isEqualTo(VerdictKind.ALLOW);
    }

    @Test
    void rulesMatchAGateByItsName() {
      String floor = "{rules: [{id: 'a', tools: ['release-*'], verdict: 'DENY'}]}";

      assertThat(
              layers(floor, null)
                  .adjudicate(call(Boundary.PLAN, "release-plan", "{}", agent(), null, null))
                  .verdict())
          .isEqualTo(VerdictKind.DENY);
    }
  }

  @Nested
  class PolicyChange {

    private static final String ARGS = "{base_epoch: 3, document: {}}";

    private static Adjudication change(String floor, Principal proposer) {
      return layers(floor, null)
          .adjudicate(call(Boundary.TOOL, BuiltInTools.POLICY_CHANGE, ARGS, proposer, null, null));
    }

    @Test
    void isKnownWithoutConfiguration() {
      PolicyLayers layers = layers("{}", null);

      assertThat(layers.tool(BuiltInTools.POLICY_CHANGE))
          .hasValueSatisfying(
              entry -> {
                assertThat(entry.executor()).isEqualTo(ExecutorKind.KERNEL);
                assertThat(entry.capability()).isEqualTo("policy.change");
              });
      assertThat(layers.checkArgs(BuiltInTools.POLICY_CHANGE, json(ARGS))).isEmpty();
      assertThat(layers.checkArgs(BuiltInTools.POLICY_CHANGE, json("{base_epoch: -1}"))).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '"',
        value = {
          "{}                                                                | REQUIRE_WITNESS",
          "{default: 'ALLOW'}                                                | REQUIRE_WITNESS",
          "{rules: [{id: 'a', tools: ['*'], verdict: 'ALLOW'}]}              | REQUIRE_WITNESS",
          "{rules: [{id: 'a', tools: ['heldcall.*'], verdict: 'ALLOW'}]}     | REQUIRE_WITNESS",
          "{default: 'DENY'}                                                 | DENY",
          "{rules: [{id: 'a', tools: ['*'], verdict: 'DENY'}]}               | DENY",
          "{rules: [{id: 'a', tools: ['heldcall.policy.change'], verdict: 'ALLOW'}]} | ALLOW",
          "{rules: [{id: 'a', tools: ['heldcall.policy.change'], verdict: 'DENY'}]}  | DENY"
        })
    void needsAPersonUnlessTheFloorNamesIt(String floor, VerdictKind verdict) {
      assertThat(change(floor, policyOwner()).verdict()).isEqualTo(verdict);
    }

    @Test
    void namesTheBuiltInRule() {
      Adjudication result = change("{}", policyOwner());

      assertThat(result.contract()).isEqualTo(Contract.of("human"));
      assertThat(result.reasons())
          .containsExactly(
              new Reason("floor", "heldcall-policy-change", "a policy change needs a person"));
    }

    /** The design, rule 23. */
    @Test
    void isOnlyForPolicyOwners() {
      Principal operator =
          new Principal(
              "operator",
              "acme",
              "default",
              Set.of(Role.OPERATOR),
              new TreeSet<>(),
              new TreeSet<>(Set.of("policy.change")),
              null,
              null);

      assertThat(change("{}", operator).verdict()).isEqualTo(VerdictKind.DENY);
    }
  }

  @Nested
  class Digests {

    @Test
    void areStableUnderTheOrderOfKeysAndTools() throws PolicyException {
      PolicyLayers one =
          PolicyLayers.compile(
              json("{default: 'ALLOW', rules: [{id: 'a', tools: ['x'], verdict: 'DENY'}]}"),
              json("{users: {}, projects: {}}"),
              tools());
      PolicyLayers other =
          PolicyLayers.compile(
              json("{rules: [{verdict: 'DENY', tools: ['x'], id: 'a'}], default: 'ALLOW'}"),
              json("{projects: {}, users: {}}"),
              new TreeMap<>(tools()));

      assertThat(one.policyVersion()).isEqualTo(other.policyVersion());
      assertThat(one.floorDigest()).isEqualTo(other.floorDigest());
    }

    @Test
    void theOrganizationChangesTheVersionAndNotTheFloor() throws PolicyException {
      PolicyLayers before = layers(FLOOR, null);
      PolicyLayers after = before.withOrganization(json("{default: 'DENY'}"));

      assertThat(after.policyVersion()).isNotEqualTo(before.policyVersion());
      assertThat(after.floorDigest()).isEqualTo(before.floorDigest());
      assertThat(after.policyVersion())
          .isEqualTo(layers(FLOOR, "{default: 'DENY'}").policyVersion());
      assertThat(after.adjudicate(call("pay", "{n: 1}")).verdict()).isEqualTo(VerdictKind.DENY);
    }

    @Test
    void theFloorChangesTheVersion() {
      assertThat(layers("{}", null).policyVersion())
          .isNotEqualTo(layers("{default: 'DENY'}", null).policyVersion());
    }

    /** The design, rule 17: what makes it another tool, and what does not. */
    @ParameterizedTest
    @CsvSource({"url, true", "schema, true", "timeout, false", "capability, false"})
    void aToolsEntryChangesTheVersion(String part, boolean anotherTool) throws PolicyException {
      ToolEntry entry = tool("pay", null);
      ToolEntry changed =
          new ToolEntry(
              entry.name(),
              entry.executor(),
              part.equals("url") ? "http://127.0.0.1:9091/pay" : entry.url(),
              entry.method(),
              part.equals("capability") ? "other" : entry.capability(),
              part.equals("timeout") ? Duration.ofSeconds(6) : entry.timeout(),
              entry.idempotent(),
              entry.keyRetention(),
              entry.readBackUrl(),
              part.equals("schema") ? json("{type: 'object'}") : entry.schema(),
              entry.resultSchema(),
              entry.maxResultBytes());
      PolicyLayers before = PolicyLayers.compile(json("{}"), null, Map.of("pay", entry));
      PolicyLayers after = PolicyLayers.compile(json("{}"), null, Map.of("pay", changed));

      assertThat(after.policyVersion()).isNotEqualTo(before.policyVersion());
      assertThat(after.floorDigest()).isNotEqualTo(before.floorDigest());
      assertThat(after.toolDigest("pay").equals(before.toolDigest("pay"))).isEqualTo(!anotherTool);
    }
  }

  @Nested
  class Refusals {

    @Test
    void nameTheLayerAndThePlace() {
      assertThatThrownBy(
              () -> PolicyLayers.compile(json("{}"), json("{rules: [{id: 'a'}]}"), tools()))
          .isInstanceOfSatisfying(
              PolicyException.class,
              e -> {
                assertThat(e.where()).isEqualTo("organization");
                assertThat(e.problems()).hasSize(2);
              })
          .hasMessageContaining("organization /rules/0/tools: ");
    }

    @Test
    void nameTheToolsSchema() {
      assertThatThrownBy(
              () ->
                  PolicyLayers.compile(
                      json("{}"), null, Map.of("a/b", tool("a/b", "{type: 'nope'}"))))
          .isInstanceOf(PolicyException.class)
          .hasMessageContaining("tools /a~1b/schema: no JSON Schema 2020-12: at '/type'");
    }
  }

  @Test
  void checksArgumentsAndResultsOfToolsThatHaveASchema() throws PolicyException {
    ToolEntry plain = tool("pay", "{required: ['n']}");
    ToolEntry entry =
        new ToolEntry(
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
            json("{type: 'object'}"),
            plain.maxResultBytes());
    PolicyLayers layers = PolicyLayers.compile(json("{}"), null, Map.of("pay", entry));

    assertThat(layers.checkArgs("pay", json("{}"))).hasSize(1);
    assertThat(layers.checkResult("pay", json("[]"))).hasSize(1);
    assertThat(layers.checkResult("pay", json("{}"))).isEmpty();
    assertThat(layers.checkArgs("a-gate", json("[]"))).isEmpty();
  }
}
