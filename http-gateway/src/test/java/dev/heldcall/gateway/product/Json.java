package dev.heldcall.gateway.product;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** JSON as the tests write and read it. */
public final class Json {

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private Json() {}

  /** An object of names and values in turns; a value is a tree or becomes one. */
  public static ObjectNode of(Object... namesAndValues) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      JsonNode value = MAPPER.valueToTree(namesAndValues[i + 1]);
      node.set((String) namesAndValues[i], value);
    }
    return node;
  }

  public static ObjectNode object(String text) {
    return (ObjectNode) tree(text);
  }

  public static JsonNode tree(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError("not JSON: " + text, e);
    }
  }
}
