package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** An answer of the node. */
record Got(String asked, int status, Map<String, List<String>> headers, String text) {

  String header(String name) {
    return String.join("|", headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()));
  }

  JsonNode json() {
    return Json.tree(text);
  }

  /** A field by its JSON pointer; missing if it is not there. */
  JsonNode at(String pointer) {
    return json().at(pointer);
  }

  String text(String pointer) {
    return at(pointer).asText();
  }

  /** The end of the problem's type. */
  String slug() {
    return text("/type").replace("https://heldcall.dev/problems/", "");
  }

  Got is(int expected) {
    assertThat(status).as("%s answered %s", asked, text).isEqualTo(expected);
    return this;
  }

  /** A problem document with this slug and status. */
  Got isProblem(int expected, String slug) {
    is(expected);
    assertThat(slug()).as("%s answered %s", asked, text).isEqualTo(slug);
    assertThat(header("content-type")).startsWith("application/problem+json");
    assertThat(at("/status").asInt()).isEqualTo(expected);
    assertThat(text("/title")).isNotBlank();
    assertThat(text("/detail")).isNotBlank();
    assertThat(text).doesNotContain("\tat ").doesNotContain("Exception");
    return this;
  }
}
