package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * An organization whose policy one test changes.
 *
 * @param node where it is
 * @param name its name
 */
record OwnOrganization(ProductNode node, String name) {

  Caller as(String id) {
    return node.as(name + "-" + id);
  }

  String path() {
    return "/policies/" + name;
  }

  Got policy() {
    return as("owner").get(path()).is(200);
  }

  long epoch() {
    return policy().at("/epoch").asLong();
  }

  /** A document of these rules, given as JSON. */
  static ObjectNode document(String... rules) {
    return Json.object("{\"rules\":[" + String.join(",", rules) + "]}");
  }

  /** A rule that makes a tool's calls wait. */
  static String rule(String id, String tool, String witnessRule) {
    return "{\"id\":\"%s\",\"tools\":[\"%s\"],\"verdict\":\"REQUIRE_WITNESS\",\"contract\":{\"rule\":\"%s\"}}"
        .formatted(id, tool, witnessRule);
  }

  /** Proposes to replace the document. */
  Held proposeChange(String callId, long baseEpoch, JsonNode document) {
    Caller owner = as("owner");
    Got answer =
        owner.post(
            path(), Json.of("call_id", callId, "base_epoch", baseEpoch, "document", document));
    return new Held(owner, "heldcall.policy", callId, answer);
  }

  /** Replaces the document, approved by a person. */
  void change(String callId, JsonNode document) {
    long before = epoch();
    Held change = proposeChange(callId, before, document);
    var _ = change.answer().is(202);
    var _ = change.approve(as("alice")).is(202);
    var _ = change.until("/status/execution", "effect-recorded");
    assertThat(change.read().text("/result/outcome")).isEqualTo("succeeded");
    assertThat(epoch()).isEqualTo(before + 1);
  }
}
