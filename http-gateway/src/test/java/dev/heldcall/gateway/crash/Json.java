package dev.heldcall.gateway.crash;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON as the story writes and reads it. */
final class Json {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  /** An object of names and values in turns. */
  static ObjectNode of(Object... namesAndValues) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      JsonNode value = MAPPER.valueToTree(namesAndValues[i + 1]);
      node.set((String) namesAndValues[i], value);
    }
    return node;
  }

  static JsonNode tree(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not JSON: " + text, e);
    }
  }
}
