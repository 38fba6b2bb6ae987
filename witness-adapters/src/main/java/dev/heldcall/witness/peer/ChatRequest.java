package dev.heldcall.witness.peer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A request of the chat completions API: the prompt and the framed call in a message each, no
 * randomness that can be turned off, one answer of a given form and length.
 */
final class ChatRequest {

  private ChatRequest() {}

  /** The body for a framed call. */
  static ObjectNode of(PeerSettings settings, String frame) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("model", settings.model());
    body.putArray("messages")
        .add(message("system", settings.prompt().text()))
        .add(message("user", frame));
    body.put("temperature", 0);
    body.put("n", 1);
    body.put("stream", false);
    body.put(settings.tokensField(), settings.maxTokens());
    body.set("response_format", responseFormat());
    return body;
  }

  private static ObjectNode message(String role, String content) {
    return JsonNodeFactory.instance.objectNode().put("role", role).put("content", content);
  }

  private static ObjectNode responseFormat() {
    ObjectNode format = JsonNodeFactory.instance.objectNode().put("type", "json_schema");
    ObjectNode named = format.putObject("json_schema").put("name", "verdict").put("strict", true);
    ObjectNode schema = named.putObject("schema").put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    properties
        .putObject("decision")
        .put("type", "string")
        .putArray("enum")
        .add("approve")
        .add("deny")
        .add("undecided");
    properties.putObject("reason").put("type", "string");
    properties.putObject("call_digest").put("type", "string");
    schema.putArray("required").add("decision").add("reason").add("call_digest");
    schema.put("additionalProperties", false);
    return format;
  }
}
