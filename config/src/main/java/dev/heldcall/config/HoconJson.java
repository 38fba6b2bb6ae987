package dev.heldcall.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import java.util.Map;

/** HOCON values as JSON. */
final class HoconJson {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private HoconJson() {}

  /** The same value, every key as it is written. */
  static JsonNode verbatim(ConfigValue value) {
    return switch (value.valueType()) {
      case OBJECT -> {
        ObjectNode object = NODES.objectNode();
        ((ConfigObject) value)
            .entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> object.set(entry.getKey(), verbatim(entry.getValue())));
        yield object;
      }
      case LIST -> {
        ArrayNode array = NODES.arrayNode();
        ((ConfigList) value).forEach(item -> array.add(verbatim(item)));
        yield array;
      }
      case STRING -> NODES.textNode((String) value.unwrapped());
      case BOOLEAN -> NODES.booleanNode((Boolean) value.unwrapped());
      case NUMBER -> number((Number) value.unwrapped());
      case NULL -> NODES.nullNode();
    };
  }

  private static JsonNode number(Number number) {
    return number instanceof Double value
        ? NODES.numberNode(value.doubleValue())
        : NODES.numberNode(number.longValue());
  }
}
