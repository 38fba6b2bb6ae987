package dev.heldcall.kernel.policy;

import static dev.heldcall.kernel.policy.PolicyTestData.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToolSchemaTest {

  private static final String TRANSFER =
      """
      {type: 'object', additionalProperties: false, required: ['amount_minor'],
       properties: {amount_minor: {type: 'integer', minimum: 1}, to: {type: 'string'},
                    'a/b': {type: 'array', items: {type: 'string'}}}}
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {"{amount_minor: 1}", "{amount_minor: 1.0, to: 'x'}", "{amount_minor: 1e3}"})
  void acceptsWhatFits(String args) {
    assertThat(ToolSchema.compile(json(TRANSFER)).check(json(args))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{amount_minor: 0}            | /amount_minor | 1",
        "{amount_minor: 1.5}          | /amount_minor | integer",
        "{amount_minor: '1'}          | /amount_minor | integer",
        "{to: 'x'}                    | ''            | amount_minor",
        "{amount_minor: 1, note: 2}   | /note         | note",
        "{amount_minor: 1, 'n/o': 2}  | /n~1o         | n/o",
        "{amount_minor: 1, 'a/b': [1]} | /a~1b/0      | string",
        "[]                           | ''            | object"
      })
  void namesThePlace(String args, String pointer, String message) {
    assertThat(ToolSchema.compile(json(TRANSFER)).check(json(args)))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.pointer()).isEqualTo(pointer);
              assertThat(problem.message()).contains(message);
            });
  }

  @Test
  void followsReferencesWithinTheDocument() {
    ToolSchema schema =
        ToolSchema.compile(
            json("{'$defs': {id: {type: 'string'}}, properties: {a: {'$ref': '#/$defs/id'}}}"));

    assertThat(schema.check(json("{a: 'x'}"))).isEmpty();
    assertThat(schema.check(json("{a: 1}"))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{type: 'nope'}",
        "{type: 5}",
        "{properties: {a: {minimum: 'x'}}}",
        "{required: 'a'}",
        "{'$ref': 'https://example.com/schema.json'}",
        "{'$ref': 'file:///etc/hostname'}",
        "{'$ref': 'classpath:profiles/dev.conf'}",
        "{'$ref': '#/$defs/missing'}",
        "{properties: {a: {pattern: '['}}}"
      })
  void refusesWhatIsNoUsableSchema(String schema) {
    assertThatThrownBy(() -> ToolSchema.compile(json(schema)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void boundsTheProblems() {
    ToolSchema schema = ToolSchema.compile(json("{items: {type: 'string'}}"));

    assertThat(schema.check(json("[" + "1,".repeat(99) + "1]"))).hasSize(32);
  }

  @Test
  void keepsSchemasOfTheSameIdApart() {
    String id = "'$id': 'https://example.com/tool'";
    ToolSchema one = ToolSchema.compile(json("{" + id + ", type: 'string'}"));
    ToolSchema other = ToolSchema.compile(json("{" + id + ", type: 'object'}"));

    assertThat(one.check(json("'x'"))).isEmpty();
    assertThat(other.check(json("'x'"))).hasSize(1);
  }

  @Test
  void aReferenceWithoutEndFailsClosed() {
    ToolSchema schema = ToolSchema.compile(json("{'$ref': '#'}"));

    assertThat(schema.check(json("{}"))).isNotEmpty();
  }

  @Test
  void patternsMatchAnywhereAndInLinearTime() {
    ToolSchema schema = ToolSchema.compile(json("{pattern: '(a+)+$'}"));

    assertThat(schema.check(json("'" + "a".repeat(5_000) + "b'"))).hasSize(1);
    assertThat(schema.check(json("'baa'"))).isEmpty();
  }

  @Test
  void aDollarIsTheVeryEnd() {
    ToolSchema schema = ToolSchema.compile(json("{pattern: '^acct-[0-9]+$'}"));

    assertThat(schema.check(json("'acct-1'"))).isEmpty();
    assertThat(schema.check(json("'acct-1\\n'"))).hasSize(1);
  }

  @Test
  void patternsWithLookAroundStillWork() {
    ToolSchema schema = ToolSchema.compile(json("{pattern: '^(?!root)[a-z]+$'}"));

    assertThat(schema.check(json("'alice'"))).isEmpty();
    assertThat(schema.check(json("'root'"))).hasSize(1);
  }
}
