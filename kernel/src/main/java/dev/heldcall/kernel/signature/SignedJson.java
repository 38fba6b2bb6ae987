package dev.heldcall.kernel.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.digest.IJson;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;

/** Reads signed JSON so that nobody could read it otherwise: I-JSON (RFC 7493) without doubles. */
final class SignedJson {

  private static final int MAX_NESTING = 64;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_NESTING)
                          .maxNumberLength(1000)
                          .build())
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                  .build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private SignedJson() {}

  /**
   * Reads an object.
   *
   * @param what it is, for the problem
   * @throws SignatureProblem if it is none, or is read differently by different readers
   */
  static ObjectNode object(byte[] bytes, String what) throws SignatureProblem {
    try {
      String text =
          UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString();
      JsonNode tree = MAPPER.readTree(text);
      if (tree instanceof ObjectNode object && IJson.check(object).isEmpty()) {
        return object;
      }
    } catch (CharacterCodingException | JsonProcessingException e) {
      // told below: the parser's words would quote what was signed
    }
    throw new SignatureProblem(what + " is not one JSON object without duplicate keys");
  }
}
