package dev.heldcall.kernel.policy;

import static dev.heldcall.kernel.policy.PolicyTestData.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.PrincipalRef;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyDocumentTest {

  private static List<PolicyProblem> problems(JsonNode document) {
    return switch (PolicyDocument.parse(document, "organizations.acme")) {
      case PolicyDocument.Loaded _ -> List.of();
      case PolicyDocument.Refused(var where, var problems) -> {
        assertThat(where).isEqualTo("organizations.acme");
        yield problems;
      }
    };
  }

  private static PolicyDocument loaded(String document) {
    return switch (PolicyDocument.parse(json(document), "floor")) {
      case PolicyDocument.Loaded(var loaded) -> loaded;
      case PolicyDocument.Refused refused -> throw new IllegalArgumentException("" + refused);
    };
  }

  private static String rule(String rest) {
    return "{rules: [{id: 'a', tools: ['*'], " + rest + "}]}";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{rules: []}",
        "{rules: [], default: 'DENY', projects: {}, users: {}}",
        "{rules: [{id: 'a', tools: ['x', 'git.*', 'file_*', '*'], verdict: 'ALLOW'}]}",
        "{rules: [{id: 'a', tools: ['x'], when: 'args.n > 1', verdict: 'DEFER', message: 'm'}]}",
        "{rules: [{id: 'a', tools: ['x'], verdict: 'DEFER', disclosure: 'digest'}]}",
        "{rules: [{id: 'a', tools: ['x'], verdict: 'DENY', redact: ['/a', '/b/*/c~1d']}]}",
        """
        {rules: [{id: 'a', tools: ['x'], verdict: 'REQUIRE_WITNESS', contract: {
          rule: 'quorum(2, human)', veto: ['compliance'], expires_s: 600,
          independence: ['not-proposer', 'distinct-identities'], on_refuted: 'hold', signed: true}}]}
        """,
        """
        {rules: [{id: 'a', tools: ['x'], verdict: 'REQUIRE_WITNESS',
                  contract: {rule: {any: [{class: 'ci'}, {class: 'human'}]}}}]}
        """
      })
  void loads(String document) {
    assertThat(problems(json(document))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "[]                                           | \"\"             | expected an object",
        "{rule: []}                                   | /rule            | unknown field",
        "{rules: {}}                                  | /rules           | expected an array",
        "{rules: [5]}                                 | /rules/0         | expected a rule",
        "{default: 'REQUIRE_WITNESS'}                 | /default         | needs a rule",
        "{default: 'NOPE'}                            | /default         | expected one of",
        "{projects: {'acme/x': {}}}                   | /projects        | not in this release",
        "{users: {'acme/x': {}}}                      | /users           | not in this release",
        "{users: []}                                  | /users           | not in this release",
        "{rules: [{tools: ['x'], verdict: 'ALLOW'}]}  | /rules/0/id      | expected a text",
        "{rules: [{id: 5, tools: ['x'], verdict: 'DENY'}]} | /rules/0/id | expected a text",
        "{rules: [{id: 'a', verdict: 'ALLOW'}]}       | /rules/0/tools   | expected an array",
        "{rules: [{id: 'a', tools: [], verdict: 'DENY'}]}      | /rules/0/tools   | expected an array",
        "{rules: [{id: 'a', tools: ['a*b'], verdict: 'DENY'}]} | /rules/0/tools/0 | at the end only",
        "{rules: [{id: 'a', tools: ['x', ''], verdict: 'DENY'}]} | /rules/0/tools/1 | tool name",
        "{rules: [{id: 'a', tools: ['x']}]}           | /rules/0/verdict | expected one of"
      })
  void namesThePlaceInTheDocument(String document, String pointer, String message) {
    assertOneProblem(document, pointer, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "verdict: 'PERHAPS'                       | /verdict | expected one of",
        "verdict: 'INDETERMINATE'                 | /verdict | expected one of",
        "verdict: 'allow'                         | /verdict | expected one of",
        "verdict: 'TRANSFORM'                     | /verdict | not in this release",
        "verdict: 'ALLOW', transform: {}          | /transform | unknown field",
        "verdict: 'ALLOW', When: 'true'           | /When    | unknown field",
        "verdict: 'ALLOW', when: 5                | /when    | expected a text",
        "verdict: 'ALLOW', when: 'arg.n > 1'      | /when    | line 1, column 1",
        "verdict: 'ALLOW', when: 'args.n +'       | /when    | line 1, column 9",
        "verdict: 'ALLOW', when: '1 + 1'          | /when    | type bool",
        "verdict: 'ALLOW', message: ''            | /message | expected a text",
        "verdict: 'ALLOW', disclosure: 'none'     | /disclosure | full, summary, digest, found 'none'",
        "verdict: 'ALLOW', disclosure: null       | /disclosure | expected one of full",
        "verdict: 'ALLOW', redact: '/a'           | /redact  | expected an array of 1 to 256",
        "verdict: 'ALLOW', redact: []             | /redact  | expected an array of 1 to 256",
        "verdict: 'ALLOW', redact: ['/a', 'b']    | /redact/1 | JSON Pointer",
        "verdict: 'ALLOW', redact: ['']           | /redact/0 | JSON Pointer",
        "verdict: 'ALLOW', redact: ['/a~2']       | /redact/0 | JSON Pointer",
        "verdict: 'ALLOW', redact: [5]            | /redact/0 | JSON Pointer",
        "verdict: 'ALLOW', contract: {rule: 'a'}  | /contract | REQUIRE_WITNESS only",
        "verdict: 'REQUIRE_WITNESS'               | /contract | needs a contract"
      })
  void namesThePlaceInARule(String rest, String pointer, String message) {
    assertOneProblem(rule(rest), "/rules/0" + pointer, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "[]                                   | \"\"            | expected an object",
        "{}                                   | /rule           | expected a witness rule",
        "{rule: 5}                            | /rule           | expected a witness rule",
        "{rule: 'human &'}                    | /rule           | position 7",
        "{rule: 'quorum(0, human)'}           | /rule           | position 7",
        "{rule: {nope: 1}}                    | /rule           | one of class",
        "{rule: 'human', vetoes: []}          | /vetoes         | unknown field",
        "{rule: 'human', expires: '10m', expires_s: 600} | /expires | no expires_s",
        "{rule: 'human', veto: 'ci'}          | /veto           | expected an array",
        "{rule: 'human', veto: ['ci', 'C!']}  | /veto/1         | witness class",
        "{rule: 'human', expires_s: 0}        | /expires_s      | whole seconds",
        "{rule: 'human', expires: '10'}       | /expires        | a time such as",
        "{rule: 'human', expires: 600}        | /expires        | a time such as",
        "{rule: 'human', expires: '0s'}       | /expires        | from 1s to 3650d",
        "{rule: 'human', expires: '9999d'}    | /expires        | from 1s to 3650d",
        "{rule: 'human', expires_s: 1.5}      | /expires_s      | whole seconds",
        "{rule: 'human', expires_s: '600'}    | /expires_s      | whole seconds",
        "{rule: 'human', independence: 'x'}   | /independence   | expected an array",
        "{rule: 'human', independence: ['x']} | /independence/0 | not-proposer",
        "{rule: 'human', on_refuted: 'stop'}  | /on_refuted     | deny, hold",
        "{rule: 'human', signed: 'yes'}       | /signed         | true or false"
      })
  void namesThePlaceInAContract(String contract, String pointer, String message) {
    assertOneProblem(
        rule("verdict: 'REQUIRE_WITNESS', contract: " + contract),
        "/rules/0/contract" + pointer,
        message);
  }

  private static void assertOneProblem(String document, String pointer, String message) {
    assertThat(problems(json(document)))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.pointer()).isEqualTo(pointer);
              assertThat(problem.message()).contains(message);
            });
  }

  @Test
  void refusesAnIdUsedTwice() {
    assertOneProblem(
        """
        {rules: [{id: 'a', tools: ['x'], verdict: 'ALLOW'}, {id: 'a', tools: ['y'], verdict: 'DENY'}]}
        """,
        "/rules/1/id",
        "also that of /rules/0");
  }

  @Test
  void namesEveryProblem() {
    assertThat(problems(json("{nope: 1, rules: [{id: 'a'}], default: 'X'}")))
        .extracting(PolicyProblem::pointer)
        .containsExactlyInAnyOrder("/nope", "/rules/0/tools", "/rules/0/verdict", "/default");
  }

  @Test
  void boundsTheRules() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    var rules = document.putArray("rules");
    IntStream.range(0, 1_001).forEach(i -> rules.addObject());

    assertThat(problems(document))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("at most 1000"));
  }

  @Test
  void boundsAConditionsLength() {
    String when = "true || " + "true || ".repeat(600) + "true";

    assertOneProblem(rule("verdict: 'ALLOW', when: '" + when + "'"), "/rules/0/when", "4096");
  }

  @Test
  void refusesWhatIsNotIJson() {
    ObjectNode document = JsonNodeFactory.instance.objectNode();
    document.putArray("rules").addObject().put("id", "\ud800");

    assertThat(problems(document))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("I-JSON"));
  }

  @Test
  void theDigestIsThatOfTheCanonicalForm() {
    PolicyDocument one = loaded("{rules: [{id: 'a', tools: ['x'], verdict: 'ALLOW'}]}");
    PolicyDocument other = loaded("{rules: [{verdict: 'ALLOW', tools: ['x'], id: 'a'}]}");

    assertThat(one.digest()).isEqualTo(other.digest());
    assertThat(one.json()).isEqualTo(other.json());
  }

  @Test
  void findsTheRulesThatNobodyCanSatisfy() {
    PolicyDocument document =
        loaded(
            """
            {rules: [
              {id: 'a', tools: ['x'], verdict: 'REQUIRE_WITNESS', contract: {rule: 'human'}},
              {id: 'b', tools: ['x'], verdict: 'REQUIRE_WITNESS', contract: {rule: 'quorum(2, human)'}},
              {id: 'c', tools: ['x'], verdict: 'ALLOW'},
              {id: 'd', tools: ['x'], verdict: 'REQUIRE_WITNESS', contract: {rule: 'human & legal'}}]}
            """);
    Function<String, Collection<PrincipalRef>> roster =
        name ->
            name.equals("human")
                ? List.of(new PrincipalRef("acme", "default", "alice"))
                : List.of();

    assertThat(PolicyDocument.unsatisfiable(document, roster))
        .extracting(PolicyProblem::pointer)
        .containsExactly("/rules/1/contract/rule", "/rules/3/contract/rule");
  }
}
