package dev.heldcall.gateway.json;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.gateway.error.ProblemDetails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {

  private final StrictJson json = new StrictJson(64);

  private static String slug(Decoded<JsonNode> decoded) {
    return switch (decoded) {
      case Decoded.Ok<JsonNode>(JsonNode tree) -> "ok " + tree;
      case Decoded.Refused<JsonNode>(ProblemDetails problem) -> problem.type().slug();
    };
  }

  private String parse(String text) {
    return slug(json.parse(text.getBytes(UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}", "[]", "null", "1", "\"x\"", " \t\r\n{\"a\" : [1, -0, 1.5e-3]} ", "\"\\ud83d\\ude00\"",
        "\"😀\"", "9007199254740991", "-9007199254740991", "1e22", "0.1", "1.0", "100e-2",
        "{\"a\":{\"a\":1},\"b\":{\"a\":1}}", "\"\\u0000\"", "5e-324", "1.7976931348623157e308"
      })
  void i_json_is_read(String text) {
    assertThat(parse(text)).startsWith("ok");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "{\"a\":1,}",
        "[1,]",
        "{a:1}",
        "{'a':1}",
        "{\"a\":1,\"a\":1}",
        "{\"a\":1,\"\\u0061\":1}",
        "[{\"x\":{\"a\":1,\"b\":2,\"a\":3}}]",
        "{} x",
        "{}{}",
        "1 2",
        "{}\u0000",
        "NaN",
        "[Infinity]",
        "-Infinity",
        "+1",
        "01",
        "1.",
        ".5",
        "0x10",
        "\"\\ud800\"",
        "\"\\udc00\\ud800\"",
        "{\"\\ud800\":1}",
        "\"\\x\"",
        "\"a\nb\"",
        "\"a\tb\"",
        "\"open",
        "tru",
        "True",
        "/* c */ 1",
        "// c\n1",
        "# c\n1",
        "\uFEFF{}",
        "\u00a01",
        "{\"a\":undefined}"
      })
  void what_is_not_json_is_refused(String text) {
    assertThat(parse(text)).isEqualTo("invalid-json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9007199254740992",
        "-9007199254740992",
        "[123456789012345678901234567890]",
        "0.1234567890123456789012345",
        "1e400",
        "-1e400",
        "1e-400",
        "1e999999999",
        "9007199254740993.0"
      })
  void what_a_double_does_not_carry_is_refused(String text) {
    assertThat(parse(text)).isEqualTo("not-i-json");
  }

  @Test
  void a_number_of_a_million_digits_costs_nothing() {
    assertThat(parse("[" + "1".repeat(1_000_000) + "]")).isEqualTo("not-i-json");
    assertThat(parse("[0." + "1".repeat(1_000_000) + "]")).isEqualTo("not-i-json");
  }

  @Test
  void sixty_four_levels_are_read_and_sixty_five_are_not() {
    assertThat(parse("[".repeat(64) + "]".repeat(64))).startsWith("ok");
    assertThat(parse("[".repeat(65) + "]".repeat(65))).isEqualTo("invalid-json");
    assertThat(parse("{\"a\":".repeat(65) + "1" + "}".repeat(65))).isEqualTo("invalid-json");
    assertThat(parse("[".repeat(500_000))).isEqualTo("invalid-json");
  }

  @Test
  void bytes_that_are_not_utf_8_are_refused() {
    assertThat(slug(json.parse(new byte[] {'"', (byte) 0xff, '"'}))).isEqualTo("invalid-json");
    assertThat(slug(json.parse(new byte[] {'"', (byte) 0xc0, (byte) 0x80, '"'})))
        .isEqualTo("invalid-json");
    assertThat(slug(json.parse(new byte[] {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'})))
        .isEqualTo("invalid-json");
    assertThat(slug(json.parse("{}".getBytes(UTF_16)))).isEqualTo("invalid-json");
  }

  @Test
  void a_refusal_says_where() {
    Decoded<JsonNode> decoded = json.parse("{\"a\":[1,{\"b/c\":1e400}]}".getBytes(UTF_8));

    assertThat(decoded).isInstanceOf(Decoded.Refused.class);
    if (decoded instanceof Decoded.Refused<JsonNode>(ProblemDetails problem)) {
      assertThat(problem.errors().getFirst().pointer()).isEqualTo("/a/1/b~1c");
    }
    Decoded<JsonNode> broken = json.parse("{\n \"a\":}".getBytes(UTF_8));
    if (broken instanceof Decoded.Refused<JsonNode>(ProblemDetails problem)) {
      assertThat(problem.detail()).contains("line 2");
    }
  }
}
