package dev.heldcall.gateway.json;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.heldcall.gateway.error.ProblemDetails;
import dev.heldcall.gateway.error.ProblemType;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.digest.IJson;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.List;

/**
 * Reads exactly one I-JSON document (RFC 8259, RFC 7493) from bytes, and refuses all that two
 * readers could read differently: what one node digests and shows is what the tool receives.
 */
public final class StrictJson {

  /** Longer numbers have no double, and would cost much to find out. */
  private static final int MAX_NUMBER_LENGTH = 1000;

  private static final int MAX_NAME_LENGTH = 1 << 20;

  private final JsonMapper mapper;

  /**
   * Reads documents up to a depth.
   *
   * @param maxNesting levels of arrays and objects, 1 or more; over it the document is refused
   */
  public StrictJson(int maxNesting) {
    JsonFactory factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(maxNesting)
                    .maxNumberLength(MAX_NUMBER_LENGTH)
                    .maxNameLength(MAX_NAME_LENGTH)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .build();
    mapper =
        JsonMapper.builder(factory)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
  }

  /**
   * Reads the one document that the bytes are.
   *
   * @return the tree, with big integers and big decimals; or the refusal: {@code invalid-json} for
   *     what is not JSON in UTF-8, has duplicate keys, lone surrogates, trailing bytes or too many
   *     levels, {@code not-i-json} for numbers that a double does not carry
   */
  public Decoded<JsonNode> parse(byte[] bytes) {
    String text;
    try {
      text =
          UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString();
    } catch (CharacterCodingException e) {
      return invalid("the body is not UTF-8");
    }
    if (text.isBlank()) {
      return invalid("the body is empty: expected a JSON document");
    }
    JsonNode tree;
    try {
      tree = mapper.readTree(text);
    } catch (StreamConstraintsException e) {
      return overBound(e);
    } catch (JsonProcessingException e) {
      return invalid(message(e));
    }
    return tree == null || tree.isMissingNode()
        ? invalid("the body is empty: expected a JSON document")
        : checked(tree);
  }

  private static Decoded<JsonNode> checked(JsonNode tree) {
    List<IJson.Violation> violations = IJson.check(tree);
    if (violations.isEmpty()) {
      return new Decoded.Ok<>(tree);
    }
    boolean notJson = violations.stream().anyMatch(v -> v.kind() == IJson.Kind.INVALID_JSON);
    IJson.Violation first = violations.getFirst();
    return new Decoded.Refused<>(
        ProblemDetails.of(
            notJson ? ProblemType.INVALID_JSON : ProblemType.NOT_I_JSON,
            (first.pointer().isEmpty() ? "" : first.pointer() + ": ") + first.message(),
            violations.stream()
                .map(v -> new Rejection.FieldError(v.pointer(), v.message()))
                .toList()));
  }

  private static Decoded<JsonNode> overBound(StreamConstraintsException e) {
    String message = String.valueOf(e.getOriginalMessage());
    if (message.contains("getMaxNumberLength")) {
      return new Decoded.Refused<>(
          ProblemDetails.of(
              ProblemType.NOT_I_JSON,
              "a number has more than " + MAX_NUMBER_LENGTH + " digits" + place(e)));
    }
    return invalid(
        message.contains("getMaxNestingDepth")
            ? "the body is nested too deeply" + place(e)
            : "a part of the body is too long" + place(e));
  }

  private static Decoded<JsonNode> invalid(String detail) {
    return new Decoded.Refused<>(ProblemDetails.of(ProblemType.INVALID_JSON, detail));
  }

  /** The parser's own words, without what it says of itself and its source. */
  private static String message(JsonProcessingException e) {
    String text = String.valueOf(e.getOriginalMessage()).replaceAll("\\s+", " ");
    return (text.length() > 200 ? text.substring(0, 200) + "…" : text) + place(e);
  }

  private static String place(JsonProcessingException e) {
    JsonLocation location = e.getLocation();
    return location == null
        ? ""
        : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }
}
