package dev.heldcall.kernel.digest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.digest.IJson.Kind;
import dev.heldcall.kernel.digest.IJson.Violation;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IJsonTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9007199254740991",
        "-9007199254740991",
        "0",
        "-0",
        "-0.0",
        "0e999999999",
        "0.1",
        "1e20",
        "1e308",
        "5e-324",
        "4.9e-324",
        "9007199254740994.0",
        "1.50000000000000000000000000000000000",
        "333333333.3333333",
      })
  void takesWhatSurvives(String number) {
    assertThat(IJson.check(Json.parse(number))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9007199254740992",
        "-9007199254740992",
        "100000000000000000000",
        "9007199254740993.0",
        "333333333.33333329",
        "0.1000000000000000055511151231257827",
        "1e309",
        "-1e309",
        "1e999999999",
        "1e-324",
        "1e-999999999",
        "3.141592653589793238462643383279",
      })
  void refusesWhatDoesNot(String number) {
    assertThat(IJson.check(Json.parse("{\"a\":[true," + number + "]}")))
        .singleElement()
        .satisfies(
            violation -> {
              assertThat(violation.pointer()).isEqualTo("/a/1");
              assertThat(violation.kind()).isEqualTo(Kind.NOT_I_JSON);
              assertThat(violation.message()).matches("the (number|integer) .+");
            });
  }

  @Test
  void refusesLoneSurrogatesInStringsAndKeys() {
    ObjectNode tree = JsonNodeFactory.instance.objectNode();
    tree.put("ok", "\uD83D\uDE00");
    tree.put("low", "a\uDE00");
    tree.put("high", "\uD83D");
    tree.put("swapped", "\uDE00\uD83D");
    tree.put("k\uD83D/~", 1);
    assertThat(IJson.check(tree))
        .extracting(Violation::pointer, Violation::kind)
        .containsExactly(
            tuple("/low", Kind.INVALID_JSON),
            tuple("/high", Kind.INVALID_JSON),
            tuple("/swapped", Kind.INVALID_JSON),
            tuple("/k\uFFFD~1~0", Kind.INVALID_JSON));
  }

  @Test
  void pointersAreEscapedAndTheRootIsEmpty() {
    assertThat(IJson.check(Json.parse("{\"a/b\":{\"m~n\":[1e999]}}")))
        .extracting(Violation::pointer)
        .containsExactly("/a~1b/m~0n/0");
    assertThat(IJson.check(Json.parse("1e999"))).extracting(Violation::pointer).containsExactly("");
  }

  @Test
  void listsABoundedNumber() {
    String many = "[" + "1e999,".repeat(99) + "1e999]";
    assertThat(IJson.check(Json.parse(many))).hasSize(IJson.MAX_VIOLATIONS);
  }

  @Property
  void everyFiniteDoubleSurvivesInBothItsSpellings(@ForAll double value) {
    assertThat(IJson.check(DoubleNode.valueOf(value))).isEmpty();
    String spelling = JsonNumbers.shortest(value);
    if (Math.abs(value) <= JsonNumbers.MAX_SAFE || spelling.contains("e")) {
      assertThat(IJson.check(Json.parse(spelling))).isEmpty();
    }
    assertThat(IJson.check(Json.parse(Double.toString(value)))).isEmpty();
  }
}
