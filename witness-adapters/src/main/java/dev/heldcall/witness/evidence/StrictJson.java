package dev.heldcall.witness.evidence;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads JSON that means one thing only: no field twice, nothing after it, no great depth. */
public final class StrictJson {

  private static final int MAX_DEPTH = 64;

  private static final ObjectMapper READER = reader();

  private StrictJson() {}

  /** The object that a text is; null if it is anything else, or more. */
  public static @Nullable JsonNode object(String text) {
    try {
      JsonNode node = READER.readTree(text);
      return node != null && node.isObject() ? node : null;
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  /** The object that bytes are in UTF-8; null if they are anything else, or more. */
  public static @Nullable JsonNode object(byte[] bytes) {
    try {
      return object(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /**
   * The object that bytes are in UTF-8.
   *
   * @throws MalformedJson saying where it is none
   */
  public static JsonNode parse(byte[] bytes) throws MalformedJson {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      JsonNode node = READER.readTree(text);
      if (node == null || !node.isObject()) {
        throw new MalformedJson("", "a JSON object");
      }
      return node;
    } catch (CharacterCodingException e) {
      throw new MalformedJson("", "UTF-8");
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      throw new MalformedJson(
          at == null ? "" : "line " + at.getLineNr() + ", column " + at.getColumnNr(),
          "one JSON object without a field twice");
    }
  }

  private static ObjectMapper reader() {
    ObjectMapper mapper =
        JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    mapper
        .getFactory()
        .setStreamReadConstraints(
            StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build());
    return mapper;
  }
}
