package dev.heldcall.kernel.digest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** Parses text. */
final class Json {

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private Json() {}

  /** As intake does: no digit is lost. */
  static JsonNode parse(String text) {
    return parse(MAPPER, text);
  }

  /** As RFC 8785 supposes: a number is a double, whatever its digits. */
  static JsonNode parseAsDoubles(String text) {
    return parse(new ObjectMapper(), text);
  }

  private static JsonNode parse(ObjectMapper mapper, String text) {
    try {
      return mapper.readTree(text);
    } catch (JsonProcessingException broken) {
      throw new AssertionError(broken);
    }
  }
}
