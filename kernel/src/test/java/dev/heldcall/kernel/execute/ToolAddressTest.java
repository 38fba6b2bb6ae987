package dev.heldcall.kernel.execute;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToolAddressTest {

  @ParameterizedTest
  @CsvSource({
    "http://Tool.example,false,tool.example,80,tool.example,/",
    "HTTPS://tool.example:443/a,true,tool.example,443,tool.example,/a",
    "https://tool.example:80/a%20b?q=%7Bx%7D&y,true,tool.example,80,tool.example:80,/a%20b?q=%7Bx%7D&y",
    "http://[::1]:8080/x,false,::1,8080,[::1]:8080,/x",
    "http://127.0.0.1?q,false,127.0.0.1,80,127.0.0.1,/?q",
    "http://user:pw@tool.example/x#part,false,tool.example,80,tool.example,/x",
    "http://tool.example/ü,false,tool.example,80,tool.example,/%C3%BC"
  })
  void isWhatTheUrlSays(
      String url, boolean secure, String host, int port, String header, String target) {
    assertThat(ToolAddress.of(url)).isEqualTo(new ToolAddress(secure, host, port, header, target));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/relative",
        "tool.example/x",
        "ftp://tool.example/secret",
        "http:///secret",
        "http://tool.example:99999/secret",
        "http://tool.example/secret\r\nX: y",
        "http://tool.example/secret word",
        "http://tool.example:80:80/secret"
      })
  void isNothingElseAndRepeatsNothingOfIt(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ToolAddress.of(url))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret"));
    assertThatIllegalArgumentException().isThrownBy(() -> ToolAddress.of(null));
  }

  @Test
  void aRequestIsOnePiece() {
    ToolAddress address = ToolAddress.of("http://tool.example/x");
    ToolRequest request =
        new ToolRequest(
            "POST", List.of(new ToolRequest.Header("A", "b c")), "{}".getBytes(US_ASCII));
    assertThat(new String(request.bytes(address), US_ASCII))
        .isEqualTo(
            "POST /x HTTP/1.1\r\nHost: tool.example\r\nUser-Agent: heldcall\r\nConnection: close\r\n"
                + "A: b c\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
    assertThat(new String(ToolRequest.withoutBody("GET", List.of()).bytes(address), US_ASCII))
        .isEqualTo(
            "GET /x HTTP/1.1\r\nHost: tool.example\r\nUser-Agent: heldcall\r\nConnection: close\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nX: y", "a\nb", "a\tb", "ü", "\u007f"})
  void aRequestsHeadHasNoOtherCharacters(String value) {
    ToolRequest request =
        ToolRequest.withoutBody("GET", List.of(new ToolRequest.Header("A", value)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> request.bytes(ToolAddress.of("http://tool.example/")))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain(value));
  }
}
