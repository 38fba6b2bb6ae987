package dev.heldcall.kernel.execute;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnswerContentTest {

  private static AnswerContent content(String text, boolean json, int maxBytes, boolean complete) {
    ReceivedBody.Intake intake = new ReceivedBody.Intake(maxBytes);
    byte[] bytes = text.getBytes(UTF_8);
    for (int at = 0; at < bytes.length; at += 7) {
      byte[] chunk = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 7));
      intake.take(chunk, chunk.length);
    }
    return AnswerContent.of(new Exchange.Answer(200, json, intake.end(complete)));
  }

  private static AnswerContent json(String text) {
    return content(text, true, 1 << 20, true);
  }

  private static AnswerContent untyped(String text) {
    return content(text, false, 1 << 20, true);
  }

  @Test
  void jsonIsCanonical() {
    AnswerContent content = json("{\"b\":[1.50,1e2],\"a\":\"ü\"}");
    assertThat(CanonicalJson.text(content.tree())).isEqualTo("{\"a\":\"ü\",\"b\":[1.5,100]}");
    assertThat(content.digest()).isEqualTo(Digests.ofCanonical(content.tree()));
    assertThat(content.truncated()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "\"words\"", "1.0", "null"})
  void aBareValueIsJsonOnlyWhereTheAnswerSaysSo(String text) {
    assertThat(json(text).tree().isTextual()).isEqualTo(text.startsWith("\""));
    assertThat(untyped(text).tree().textValue()).isEqualTo(text);
  }

  @Test
  void anObjectIsJsonWhateverTheAnswerSays() {
    assertThat(untyped("  {\"a\":1}\n").tree().path("a").intValue()).isEqualTo(1);
    assertThat(untyped("[1]").tree().isArray()).isTrue();
    assertThat(untyped("{not json}").tree().textValue()).isEqualTo("{not json}");
  }

  @Test
  void largeIntegersKeepTheirDigits() {
    String text = "[12345678901234567890" + ",9007199254740993,1.50".repeat(40) + "]";
    AnswerContent content = json(text);
    assertThat(content.tree().isArray()).isTrue();
    assertThat(content.tree().get(0).bigIntegerValue()).isEqualTo("12345678901234567890");
    assertThat(content.tree().get(1).longValue()).isEqualTo(9_007_199_254_740_993L);
    assertThat(content.tree().get(2).doubleValue()).isEqualTo(1.5);
    assertThat(content.digest()).isEqualTo(Digests.sha256(text.getBytes(UTF_8)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":1,\"a\":2}",
        "{\"a\":1} trailing",
        "[1e400]",
        "[0.10000000000000000000000001]",
        "[\"\\ud800\"]",
        "{\"\\udc00\":1}",
        "[NaN]",
        "{\"a\":"
      })
  void whatWouldNotSurviveStoringIsTheTextItWas(String text) {
    AnswerContent content = json(text);
    assertThat(content.tree().textValue()).isEqualTo(text);
    assertThat(content.digest()).isEqualTo(Digests.sha256(text.getBytes(UTF_8)));
    assertThat(content.truncated()).isFalse();
  }

  @Test
  void nestingIsBounded() {
    String deep = "[".repeat(64) + "]".repeat(64);
    assertThat(json(deep).tree().isArray()).isTrue();
    assertThat(json("[" + deep + "]").tree().isTextual()).isTrue();
  }

  @Test
  void whatIsCutIsTextAndSaysSo() {
    AnswerContent cut = content("{\"a\":\"long enough\"}", true, 10, true);
    assertThat(cut.tree().textValue()).isEqualTo("{\"a\":\"long");
    assertThat(cut.truncated()).isTrue();
    assertThat(cut.bytes()).isEqualTo(19);
    assertThat(cut.digest()).isEqualTo(Digests.sha256("{\"a\":\"long enough\"}".getBytes(UTF_8)));

    AnswerContent broken = content("{}", true, 10, false);
    assertThat(broken.tree().textValue()).isEqualTo("{}");
    assertThat(broken.truncated()).isTrue();
  }

  @Test
  void nothingIsNull() {
    assertThat(json("").tree().isNull()).isTrue();
    assertThat(untyped("").bytes()).isZero();
    assertThat(json("   ").tree().textValue()).isEqualTo("   ");
  }
}
