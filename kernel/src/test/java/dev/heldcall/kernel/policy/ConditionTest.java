package dev.heldcall.kernel.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionTest {

  private static final String ARGS =
      "{n: 125000, d: 1.5, s: 'acct-1', b: true, z: null, list: [1, 2, 3], o: {k: 'v'}, e: 1e2}";

  private static Condition.Outcome evaluate(String expression) {
    Principal principal =
        new Principal(
            "agent-1",
            "acme",
            "default",
            Set.of(Role.AGENT, Role.WORKER),
            new TreeSet<>(),
            new TreeSet<>(List.of("a.read", "a.write")),
            null,
            "family-x");
    return Condition.compile(expression)
        .evaluate(
            CallVariables.of(
                PolicyTestData.call(Boundary.TOOL, "pay", ARGS, principal, null, null)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "true",
        "args.n >= 100000",
        "args.n == 125000",
        "args.n > 124999.5",
        "args.n < 125000.5",
        "args.n == 125000.0",
        "args.d > 1",
        "args.d == 1.5",
        "args.e == 100",
        "args.s == 'acct-1'",
        "args.s.startsWith('acct-')",
        "args.s.matches('^acct-[0-9]+$')",
        "args.b",
        "args.z == null",
        "args.o.k == 'v'",
        "args.list.exists(i, i == 2)",
        "args.list.all(i, i < 4)",
        "size(args.list) == 3",
        "'k' in args.o",
        "has(args.n) && !has(args.nope)",
        "tool == 'pay'",
        "principal.id == 'agent-1' && principal.org == 'acme' && principal.project == 'default'",
        "'worker' in principal.roles",
        "'a.write' in principal.capabilities",
        "principal.on_behalf_of == null",
        "principal.on_behalf_of != 'boss'",
        "principal.model_family == 'family-x'",
        "session.id == 's-1'",
        "call.held_id == 'hc_1' && call.generation == 1 && call.boundary == 'tool'",
        "call.turn_id == 't-1' && call.call_id == 'c-1'",
        "args.nope == 1 || true"
      })
  void holds(String expression) {
    assertThat(evaluate(expression)).isEqualTo(new Condition.Holds());
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "args.n < 100000", "args.s == 5", "has(args.nope)"})
  void doesNotHold(String expression) {
    assertThat(evaluate(expression)).isEqualTo(new Condition.DoesNotHold());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "args.nope > 1",
        "args.o.nope == 'v'",
        "args.s > 5",
        "args.s.k == 'v'",
        "args.n",
        "args.z",
        "args.n / 0 > 1",
        "args.list[7] == 1",
        "principal.nope == 'x'",
        "int(args.s) > 1",
        "args.s.matches('[')"
      })
  void hasNoValueAndSaysWhy(String expression) {
    assertThat(evaluate(expression))
        .isInstanceOfSatisfying(
            Condition.Failed.class, failed -> assertThat(failed.why()).isNotBlank());
  }

  @Test
  void namesTheMissingField() {
    assertThat(evaluate("args.nope > 1"))
        .isInstanceOfSatisfying(
            Condition.Failed.class, failed -> assertThat(failed.why()).contains("nope"));
  }

  @Test
  void boundsTheIterationsOfNestedComprehensions() {
    String list = "[" + "1,".repeat(59) + "1]";
    String expression = "%s.all(a, %s.all(b, %s.all(c, a == c)))".formatted(list, list, list);

    assertThat(evaluate(expression)).isInstanceOf(Condition.Failed.class);
  }

  /** Whatever a long expression does to the parser, it is refused or fails; nothing escapes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "args       | .a        | ",
        "1          | +1        | > 0",
        "true       | ? true    | ",
        "\"\"     | !         | false",
        "\"\"     | [         | ",
        "\"\"     | args.n==1 && | true",
        "args.s     | +args.s   | == 'x'"
      })
  void survivesLongExpressions(String start, String repeated, @Nullable String end) {
    int times = (Condition.MAX_LENGTH - 40) / repeated.length();
    String expression = start + repeated.repeat(times) + (end == null ? "" : end);

    assertThat(outcome(expression)).isNotBlank();
  }

  private static String outcome(String expression) {
    try {
      return evaluate(expression).toString();
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Nested
  class Refusals {

    @ParameterizedTest
    @CsvSource(
        delimiter = '|',
        quoteCharacter = '"',
        value = {
          "args.n >= | line 1, column 10",
          "arg.n >= 1 | line 1, column 1",
          "args.n >= 1 && nope(2) | line 1, column 20",
          "1 + 1 | type bool, found int",
          "'text' | type bool, found string",
          "tool > 5 | line 1, column 6"
        })
    void nameThePlace(String expression, String message) {
      assertThatThrownBy(() -> Condition.compile(expression))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(message);
    }

    @Test
    void nameTheLine() {
      assertThatThrownBy(() -> Condition.compile("args.n > 1 &&\n  arg.m > 1"))
          .hasMessageContaining("line 2, column 3");
    }

    @Test
    void boundTheLength() {
      String tooLong = "true" + " ".repeat(Condition.MAX_LENGTH);

      assertThatThrownBy(() -> Condition.compile(tooLong)).hasMessageContaining("4096");
    }

    @Test
    void boundTheNesting() {
      String deep = "(".repeat(500) + "true" + ")".repeat(500);

      assertThatThrownBy(() -> Condition.compile(deep))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
