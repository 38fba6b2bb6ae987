package dev.heldcall.kernel.execute;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.digest.IJson;
import dev.heldcall.plugin.api.Digest;
import org.jspecify.annotations.Nullable;

/**
 * A tool's answer as a result's content.
 *
 * <p>A whole I-JSON document is its canonical tree, digested in its JCS form. JSON whose only
 * offence is integers beyond ±(2^53 − 1), such as 64-bit ids, is a tree with those integers exact,
 * digested as received. No body at all is JSON's null. Everything else — other text, JSON that
 * would not survive being stored and read again, whatever was cut — is a text of the bytes decoded
 * as UTF-8, digested as received.
 *
 * @param tree the content
 * @param digest of the whole
 * @param bytes size of the whole as received
 * @param truncated whether the tree is not the whole
 */
record AnswerContent(JsonNode tree, Digest digest, long bytes, boolean truncated) {

  private static final int MAX_NESTING = 64;

  private static final JsonFactory STRICT =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** Loses no digit. */
  private static final ObjectMapper EXACT =
      JsonMapper.builder(STRICT)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  /** Reads as the journal does: exact integers, and doubles. */
  private static final ObjectMapper PLAIN = JsonMapper.builder(STRICT).build();

  static AnswerContent of(Exchange.Answer answer) {
    ReceivedBody body = answer.body();
    String text = body.kept().utf8String();
    if (!body.whole()) {
      return new AnswerContent(TextNode.valueOf(text), body.digest(), body.size(), true);
    }
    if (body.size() == 0) {
      NullNode none = NullNode.getInstance();
      return new AnswerContent(none, Digests.ofCanonical(none), 0, false);
    }
    JsonNode exact = answer.json() || looksLikeJson(text) ? parsed(EXACT, text) : null;
    if (exact != null) {
      if (IJson.check(exact).isEmpty()) {
        JsonNode canonical = CanonicalJson.canonical(exact);
        return new AnswerContent(canonical, Digests.ofCanonical(canonical), body.size(), false);
      }
      JsonNode plain = keeps(exact) ? parsed(PLAIN, text) : null;
      if (plain != null) {
        return new AnswerContent(plain, body.digest(), body.size(), false);
      }
    }
    return new AnswerContent(TextNode.valueOf(text), body.digest(), body.size(), false);
  }

  /**
   * Text that does not say it is JSON is read as JSON only where it can be nothing else: a bare
   * {@code 1.0} may be a version.
   */
  private static boolean looksLikeJson(String text) {
    String start = text.stripLeading();
    return start.startsWith("{") || start.startsWith("[");
  }

  private static @Nullable JsonNode parsed(ObjectMapper mapper, String text) {
    try {
      JsonNode tree = mapper.readTree(text);
      return tree.isMissingNode() ? null : tree;
    } catch (JsonProcessingException e) {
      return null;
    }
  }

  /** Whether the tree is the same after it was stored and read again: integers of any size are. */
  private static boolean keeps(JsonNode tree) {
    if (tree.isObject()) {
      return tree.properties().stream()
          .allMatch(each -> keeps(TextNode.valueOf(each.getKey())) && keeps(each.getValue()));
    }
    if (tree.isArray()) {
      return tree.valueStream().allMatch(AnswerContent::keeps);
    }
    return tree.isIntegralNumber() || IJson.check(tree).isEmpty();
  }
}
