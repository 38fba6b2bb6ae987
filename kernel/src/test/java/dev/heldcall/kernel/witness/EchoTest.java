package dev.heldcall.kernel.witness;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Principal;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EchoTest {

  private static final String DIGEST =
      "not independent: the evidence's digest is of what the proposer itself supplied";
  private static final String NOTHING_ELSE =
      "not independent: the evidence says nothing but what the proposer itself supplied";
  private static final Digest CALL = new Digest("sha256:" + "a".repeat(64));
  private static final Digest CONTRACT = new Digest("sha256:" + "b".repeat(64));
  private static final String GIVEN_DIGEST = "sha256:" + "d".repeat(64);
  private static final String CONTINUATION = "ckpt://session-1/checkpoint-7";
  private static final JsonNode ARGS =
      json(
          """
          {"report": "all 312 tests of the release passed",
           "padded": "  the invoice was checked twice  ",
           "log": {"lines": ["first line", "second line"], "at": 7.50},
           "given": "%s", "commit": "0123456789abcdef0123456789abcdef01234567", "ok": "approved"}
          """
              .formatted(GIVEN_DIGEST));

  @Test
  void theDigestsOfTheCallTheContractAndTheArguments() {
    assertDigest(CALL.value());
    assertDigest(CONTRACT.value());
    assertDigest(Digests.ofCanonical(ARGS).value());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/report", "/log", "/log/lines", "/log/lines/1", "/log/at", "/given", "/ok"})
  void theDigestOfAValueInTheArguments(String pointer) {
    assertDigest(Digests.ofCanonical(ARGS.at(pointer)).value());
  }

  @Test
  void theDigestOfAStringsBytesWithAndWithoutTheSpaceAroundIt() {
    assertDigest(sha256("approved"));
    assertDigest(sha256("second line"));
    assertDigest(sha256("  the invoice was checked twice  "));
    assertDigest(sha256("the invoice was checked twice"));
    assertDigest(sha256(CONTINUATION));
  }

  @Test
  void aStringThatIsItselfTheDigest() {
    assertDigest(GIVEN_DIGEST);
  }

  @Test
  void inAnyUsualSpelling() {
    String hex = sha256("approved").substring(7);
    byte[] bytes = HexFormat.of().parseHex(hex);
    String base64 = Base64.getEncoder().encodeToString(bytes);
    for (String spelling :
        List.of(
            hex,
            hex.toUpperCase(Locale.ROOT),
            "SHA256:" + hex,
            "sha-256:" + hex,
            " sha256:" + hex + "\n",
            "sha256-" + base64,
            "sha-256=:" + base64 + ":",
            Base64.getUrlEncoder().withoutPadding().encodeToString(bytes))) {
      assertDigest(spelling);
    }
  }

  @Test
  void aUriOrTextThatTheProposerSupplied() {
    for (String member : List.of("uri", "text")) {
      for (String text :
          List.of(
              CONTINUATION,
              "all 312 tests of the release passed",
              "the invoice was checked twice",
              "\t the invoice was checked twice ")) {
        assertThat(in(json("{}"), member, text, "own", "the ledger agrees"))
            .contains(
                "not independent: the evidence's "
                    + member
                    + " is what the proposer itself supplied");
      }
    }
  }

  @Test
  void atAnyDepth() {
    assertThat(in(json("{'own': 'seen', 'deep': [{'digest': '" + CALL.value() + "'}]}")))
        .contains(DIGEST);
    assertThat(in(json("{'own': 'seen', 'text': ['" + CONTINUATION + "']}"))).isPresent();
  }

  @Test
  void evidenceThatSaysNothingElse() {
    assertThat(in(json("{'type': 'git', 'commit': '0123456789abcdef0123456789abcdef01234567'}")))
        .contains(NOTHING_ELSE);
    assertThat(in(TextNode.valueOf(CONTINUATION))).contains(NOTHING_ELSE);
    assertThat(in(json("{'sum': '" + sha256("approved") + "'}"))).contains(NOTHING_ELSE);
  }

  @Test
  void isNoEchoIfItNamesWhatWasLookedAtBesideWhatWasFound() {
    assertThat(
            in(
                json(
                    "{'type': 'git', 'commit': '0123456789abcdef0123456789abcdef01234567',"
                        + " 'ancestor': true}")))
        .isEmpty();
    assertThat(
            in(
                json(
                    "{'type': 'ci', 'uri': 'https://ci.example/runs/9', 'digest': '"
                        + sha256("what the witness saw")
                        + "', 'commit': '0123456789abcdef0123456789abcdef01234567'}")))
        .isEmpty();
  }

  @Test
  void shortTextsCoincide() {
    assertThat(in(json("{'text': 'approved'}"))).isEmpty();
    assertThat(in(json("{'text': 'second line'}"))).isEmpty();
  }

  @Test
  void textsAreComparedWholeAndAsTheyAre() {
    assertThat(in(json("{'text': 'All 312 tests of the release passed'}"))).isEmpty();
    assertThat(in(json("{'text': 'I saw: all 312 tests of the release passed'}"))).isEmpty();
    assertThat(in(json("{'uri': '" + CONTINUATION + "0'}"))).isEmpty();
  }

  @Test
  void theOutermostTypeIsAKindAndNoEvidence() {
    assertThat(in(json("{'type': '" + CONTINUATION + "'}"))).isEmpty();
    assertThat(in(json("{}"))).isEmpty();
    assertThat(in(json("{'n': 1, 'digest': null}"))).isEmpty();
  }

  @Test
  void theReasonNamesNothingOfTheArguments() {
    assertThat(in(json("{'digest': '" + sha256("second line") + "'}")).orElseThrow())
        .doesNotContain("second", "log", "lines");
  }

  @Test
  void argumentsOfAMebibyteNestedSixtyDeepAreLookedAtInOnePass() {
    ArrayNode wide = JsonNodeFactory.instance.arrayNode();
    for (int i = 0; i < 100_000; i++) {
      wide.add("item " + i % 10);
    }
    JsonNode nested = wide;
    for (int i = 0; i < 60; i++) {
      nested = JsonNodeFactory.instance.arrayNode().add(nested);
    }
    JsonNode inner = nested.at("/0".repeat(30));
    assertThat(
            Echo.in(
                json("{'digest': '" + Digests.ofCanonical(inner).value() + "'}"), binding(nested)))
        .isPresent();
  }

  private static void assertDigest(String digest) {
    ObjectNode evidence = JsonNodeFactory.instance.objectNode().put("digest", digest);
    assertThat(in(evidence.put("own", "the witness's own words"))).as(digest).contains(DIGEST);
  }

  private static Optional<String> in(JsonNode evidence, String... members) {
    for (int i = 0; i < members.length; i += 2) {
      ((ObjectNode) evidence).put(members[i], members[i + 1]);
    }
    return Echo.in(evidence, binding(ARGS)).map(Verification.Invalid::reason);
  }

  private static CallBinding binding(JsonNode args) {
    Principal agent =
        new Principal(
            "agent-1", "acme", "default", Set.of(), new TreeSet<>(), new TreeSet<>(), null, null);
    return new CallBinding(
        "hc_x",
        1,
        CALL,
        CONTRACT,
        true,
        "",
        agent,
        null,
        Contract.of("human"),
        new Supplied(args, List.of(CONTINUATION, "s-1")));
  }

  private static String sha256(String text) {
    return Digests.sha256(text.getBytes(UTF_8)).value();
  }

  private static JsonNode json(String text) {
    try {
      String quoted = text.indexOf('"') < 0 ? text.replace('\'', '"') : text;
      return CanonicalJson.canonical(new JsonMapper().readTree(quoted));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
