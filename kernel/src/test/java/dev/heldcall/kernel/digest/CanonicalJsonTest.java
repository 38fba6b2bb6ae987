package dev.heldcall.kernel.digest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {

  @Test
  void theExampleOfRfc8785Section322() {
    String input =
        """
        { "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
          "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
          "literals": [null, true, false] }
        """;
    assertThat(CanonicalJson.text(Json.parseAsDoubles(input)))
        .isEqualTo(
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
                + "\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
  }

  @Test
  void keysAreSortedByUtf16CodeUnitsAsInRfc8785Section323() {
    String input =
        """
        { "\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet With Dagesh",
          "1": "One", "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control",
          "\\u00f6": "Latin Small Letter O With Diaeresis" }
        """;
    JsonNode canonical = CanonicalJson.canonical(Json.parse(input));
    assertThat(canonical.valueStream().map(JsonNode::textValue))
        .containsExactly(
            "Carriage Return",
            "One",
            "Control",
            "Latin Small Letter O With Diaeresis",
            "Euro Sign",
            "Emoji: Grinning Face",
            "Hebrew Letter Dalet With Dagesh");
    assertThat(CanonicalJson.text(Json.parse(input)))
        .isEqualTo(
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                + "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\","
                + "\"\uD83D\uDE00\":\"Emoji: Grinning Face\","
                + "\"\uFB33\":\"Hebrew Letter Dalet With Dagesh\"}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        // the published test data of RFC 8785's authors
        "[56,{\"d\":true,\"10\":null,\"1\":[ ]}];[56,{\"1\":[],\"10\":null,\"d\":true}]",
        "{\"peach\":1,\"péché\":2,\"pêche\":3,\"sin\":4};{\"peach\":1,\"péché\":2,\"pêche\":3,\"sin\":4}",
        "{\"1\":{\"f\":{\"f\":\"hi\",\"F\":5},\"\\n\":56.0},\"10\":{},\"\":\"empty\",\"a\":{},"
            + "\"111\":[{\"e\":\"yes\",\"E\":\"no\"}],\"A\":{}};"
            + "{\"\":\"empty\",\"1\":{\"\\n\":56,\"f\":{\"F\":5,\"f\":\"hi\"}},\"10\":{},"
            + "\"111\":[{\"E\":\"no\",\"e\":\"yes\"}],\"A\":{},\"a\":{}}",
        "{\"Unnormalized Unicode\":\"A\\u030a\"};{\"Unnormalized Unicode\":\"A\u030a\"}",
        "{\"</script>\":\"/\\u007f\"};{\"</script>\":\"/\u007f\"}",
        // every control escape there is
        "\"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001F\\u0020\";\"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001f \"",
        "\"\\u2028\\ud83d\\ude02\";\"\u2028\uD83D\uDE02\"",
        "[];[]",
        "{};{}",
        "true;true",
        "null;null",
      })
  void spellsAsTheVectorsDo(String input, String expected) {
    assertThat(CanonicalJson.text(Json.parse(input))).isEqualTo(expected);
    assertThat(CanonicalJson.bytes(Json.parse(input))).isEqualTo(expected.getBytes(UTF_8));
  }

  /** RFC 8785, appendix B. */
  @ParameterizedTest
  @CsvSource({
    "0000000000000000,0",
    "8000000000000000,0",
    "0000000000000001,5e-324",
    "8000000000000001,-5e-324",
    "7fefffffffffffff,1.7976931348623157e+308",
    "ffefffffffffffff,-1.7976931348623157e+308",
    "4340000000000000,9007199254740992",
    "c340000000000000,-9007199254740992",
    "4430000000000000,295147905179352830000",
    "44b52d02c7e14af5,9.999999999999997e+22",
    "44b52d02c7e14af6,1e+23",
    "44b52d02c7e14af7,1.0000000000000001e+23",
    "444b1ae4d6e2ef4e,999999999999999700000",
    "444b1ae4d6e2ef4f,999999999999999900000",
    "444b1ae4d6e2ef50,1e+21",
    "3eb0c6f7a0b5ed8c,9.999999999999997e-7",
    "3eb0c6f7a0b5ed8d,0.000001",
    "41b3de4355555553,333333333.3333332",
    "41b3de4355555554,333333333.33333325",
    "41b3de4355555555,333333333.3333333",
    "41b3de4355555556,333333333.3333334",
    "41b3de4355555557,333333333.33333343",
    "becbf647612f3696,-0.0000033333333333333333",
    "43143ff3c1cb0959,1424953923781206.2",
  })
  void formatsNumbersAsEcmaScriptDoes(String bits, String expected) {
    double value = Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16));
    assertThat(CanonicalJson.text(DoubleNode.valueOf(value))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"100", "100.0", "1e2", "1E+2", "1000e-1", "100.000000000000000000000000000"})
  void everySpellingOfAnIntegerIsOneNode(String spelling) {
    assertThat(CanonicalJson.canonical(Json.parse(spelling))).isEqualTo(LongNode.valueOf(100));
  }

  @Test
  void minusZeroIsZero() {
    assertThat(CanonicalJson.canonical(Json.parse("-0"))).isEqualTo(LongNode.valueOf(0));
    assertThat(CanonicalJson.canonical(Json.parse("-0.0"))).isEqualTo(LongNode.valueOf(0));
    assertThat(CanonicalJson.text(Json.parse("[-0.0,-0,0e9]"))).isEqualTo("[0,0,0]");
  }

  @Test
  void integralValuesBeyondTheSafeOnesAreDoubles() {
    assertThat(CanonicalJson.canonical(Json.parse("9007199254740991")))
        .isEqualTo(LongNode.valueOf(9007199254740991L));
    assertThat(CanonicalJson.canonical(Json.parse("1e20"))).isEqualTo(DoubleNode.valueOf(1e20));
    assertThat(CanonicalJson.text(Json.parse("1e20"))).isEqualTo("100000000000000000000");
    assertThat(CanonicalJson.canonical(Json.parse("100000000000000000000")))
        .as("what the journal has of it, read again")
        .isEqualTo(DoubleNode.valueOf(1e20));
  }

  @Test
  void equalDocumentsGiveEqualTreesInOneOrder() {
    JsonNode one =
        CanonicalJson.canonical(Json.parse("{\"b\":[1.50,{\"d\":2,\"c\":1e0}],\"a\":0}"));
    JsonNode other =
        CanonicalJson.canonical(Json.parse("{\"a\":-0.0,\"b\":[15e-1,{\"c\":1,\"d\":2.0}]}"));
    assertThat(one).isEqualTo(other).hasToString(other.toString());
  }

  @Test
  void canonicalLeavesItsArgumentAlone() {
    JsonNode tree = Json.parse("{\"b\":1.0,\"a\":2}");
    String before = tree.toString();
    CanonicalJson.canonical(tree);
    assertThat(tree).hasToString(before);
  }

  @Test
  void refusesWhatHasNoCanonicalForm() {
    List<JsonNode> refused =
        List.of(
            DoubleNode.valueOf(Double.NaN),
            DoubleNode.valueOf(Double.POSITIVE_INFINITY),
            Json.parse("1e400"),
            Json.parse("9007199254740993"),
            TextNode.valueOf("\uD800"),
            JsonNodeFactory.instance.objectNode().put("\uDC00", 1),
            JsonNodeFactory.instance.binaryNode(new byte[] {1}),
            JsonNodeFactory.instance.pojoNode("x"));
    for (JsonNode tree : refused) {
      assertThatIllegalArgumentException().isThrownBy(() -> CanonicalJson.bytes(tree));
      assertThatIllegalArgumentException().isThrownBy(() -> CanonicalJson.canonical(tree));
    }
  }

  @Property(tries = 500)
  void theCanonicalTextIsItsOwnCanonicalText(@ForAll("trees") JsonNode tree) {
    String text = CanonicalJson.text(tree);
    JsonNode again = Json.parse(text);
    assertThat(CanonicalJson.text(again)).isEqualTo(text);
    assertThat(CanonicalJson.canonical(again)).isEqualTo(CanonicalJson.canonical(tree));
    assertThat(CanonicalJson.text(CanonicalJson.canonical(tree))).isEqualTo(text);
  }

  @Provide
  Arbitrary<JsonNode> trees() {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    Arbitrary<String> texts =
        Arbitraries.of(
                "\u0000", "\b", "\n", "\"", "\\", "/", "é", "€", "\u2028", "\uFB33", "\uD83D\uDE00")
            .list()
            .ofMaxSize(4)
            .map(pieces -> String.join("", pieces));
    Arbitrary<JsonNode> scalars =
        Arbitraries.oneOf(
            texts.map(nodes::textNode),
            Arbitraries.doubles().map(nodes::numberNode),
            Arbitraries.longs()
                .between(-9007199254740991L, 9007199254740991L)
                .map(value -> LongNode.valueOf(value)),
            Arbitraries.of(nodes.nullNode(), nodes.booleanNode(true)));
    return Arbitraries.recursive(
        () -> scalars,
        inner ->
            Arbitraries.oneOf(
                inner.list().ofMaxSize(4).map(items -> nodes.arrayNode().addAll(items)),
                Arbitraries.maps(texts, inner)
                    .ofMaxSize(4)
                    .map(map -> nodes.objectNode().setAll(map))),
        0,
        3);
  }
}
