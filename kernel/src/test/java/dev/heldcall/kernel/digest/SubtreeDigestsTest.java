package dev.heldcall.kernel.digest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubtreeDigestsTest {

  @Test
  void everyPartHasTheDigestOfItsCanonicalFormAndTheWholeComesLast()
      throws JsonProcessingException {
    JsonNode document =
        CanonicalJson.canonical(
            new JsonMapper()
                .readTree(
                    """
                    {"b": [1.50, 1e2, null, true, {}, [], "\\u20ac \\"quoted\\""],
                     "a": {"\\u0001": "x", "z": {"deep": [[0.1]]}}, "": ""}
                    """));
    List<JsonNode> parts = new ArrayList<>();
    SubtreeDigests.visit(
        document,
        (part, sha256) -> {
          parts.add(part);
          assertThat("sha256:" + HexFormat.of().formatHex(sha256))
              .as("%s", part)
              .isEqualTo(Digests.ofCanonical(part).value());
        });
    assertThat(parts).hasSize(16).last().isSameAs(document);
  }
}
