package dev.heldcall.witness.slack;

import static dev.heldcall.witness.FactRequests.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.WitnessRequest;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments are shown as they are, do nothing in Slack, and are never cut without a word. */
class ArgumentTextTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static ObjectNode args(String name, String value) {
    return JsonNodeFactory.instance.objectNode().put(name, value);
  }

  private static ObjectNode message(WitnessRequest request) {
    ObjectNode message = RequestMessage.asking(request, SlackWorkspace.CHANNEL);
    assertThat(BlockKit.problem(message)).isNull();
    return message;
  }

  private static String texts(JsonNode message, String type) {
    return objects(message)
        .filter(each -> each.path("type").asText().equals(type))
        .map(each -> each.path("text").asText())
        .collect(Collectors.joining("\n"));
  }

  private static Stream<JsonNode> objects(JsonNode node) {
    return Stream.concat(
        Stream.of(node).filter(JsonNode::isObject),
        StreamSupport.stream(node.spliterator(), false).flatMap(ArgumentTextTest::objects));
  }

  /** What Slack shows of escaped code. */
  private static String shown(String block) {
    return block.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!channel>",
        "<!here|here>",
        "<@U2CERLKJA>",
        "<#C061EG9T2>",
        "<https://evil.example|See>",
        "<!subteam^S012>",
        "<!date^1^x|y>",
        "```\n*Approved* by `alice`",
        "&lt;!channel&gt;"
      })
  void nothingInThemMentionsLinksOrEndsTheCode(String value) {
    ObjectNode message = message(SlackScene.asking(args(value, value)));
    String markup = texts(message, "mrkdwn");
    String code = markup.substring(markup.indexOf("```") + 3, markup.lastIndexOf("```"));
    assertThat(code).doesNotContain("<", ">", "`");
    assertThat(code.replaceAll("&(amp|lt|gt);", "")).doesNotContain("&");
    assertThat(message.path("text").asText()).doesNotContain("<", ">");
    assertThat(message.path("link_names").booleanValue()).isFalse();
    assertThat(message.path("parse").asText()).isEqualTo("none");
    assertThat(message.path("unfurl_links").booleanValue()).isFalse();
    assertThat(objects(message).filter(each -> each.path("type").asText().equals("mrkdwn")))
        .isNotEmpty()
        .allMatch(each -> each.path("verbatim").booleanValue());
  }

  @Test
  void noNameOfTheCallDoesEither() {
    WitnessRequest like = SlackScene.asking(json("{}"));
    WitnessRequest request =
        new WitnessRequest(
            like.requestId(),
            like.heldId(),
            1,
            like.callDigest(),
            like.contractDigest(),
            like.witnessClass(),
            like.boundary(),
            "<!channel>\n*tool*",
            like.argsDigest(),
            like.args(),
            like.disclosure(),
            List.of("/<!here>"),
            new dev.heldcall.plugin.api.PrincipalRef("acme", "default", "<@U2CERLKJA>"),
            "<!here>",
            like.createdAt(),
            like.expiresAt(),
            null);
    ObjectNode message = message(request);
    assertThat(texts(message, "mrkdwn").replaceAll("<!date\\^[^>]*>", ""))
        .doesNotContain("<", "tool*");
    assertThat(message.path("text").asText()).contains("&lt;!channel&gt;").doesNotContain("<");
  }

  @Test
  void noButtonIsMadeOfThem() {
    ObjectNode message =
        message(
            SlackScene.asking(
                json(
                    "{'blocks':[{'type':'actions','elements':[{'type':'button','value':'x'}]}]}")));
    long actions =
        StreamSupport.stream(message.path("blocks").spliterator(), false)
            .filter(each -> each.path("type").asText().equals("actions"))
            .count();
    assertThat(actions).isEqualTo(1);
    assertThat(message.path("blocks").path(message.path("blocks").size() - 1).path("elements"))
        .hasSize(2);
  }

  @Test
  void whatNobodyCouldSeeIsWrittenOut() {
    String block =
        ArgumentText.of(args("to", "a\u202Eb\u200B\u00A0\uDB40\uDC41\r\n`")).blocks().getFirst();
    assertThat(block).isEqualTo("\"to\": \"a\\u202eb\\u200b\\u00a0\\udb40\\udc41\\r\\n\\u0060\"");
  }

  /** Whatever the text is, what is shown is JSON of just that text. */
  @Property(tries = 300)
  void shownTextReadsBackAsTheArgument(@ForAll @StringLength(max = 300) String value)
      throws JsonProcessingException {
    ArgumentText.Shown shown = ArgumentText.of(args("k", value));
    if (shown.missing().isEmpty()) {
      String json = "{" + shown(String.join("", shown.blocks())) + "}";
      assertThat(MAPPER.readTree(json).path("k").asText()).isEqualTo(value);
    }
    assertThat(shown.blocks()).allMatch(each -> each.length() <= ArgumentText.MAX_BLOCK);
  }

  @Test
  void severalShortOnesAreInOneBlock() {
    assertThat(ArgumentText.of(json("{'to':'acct-2','lines':[1,{'a':null}]}")))
        .isEqualTo(
            new ArgumentText.Shown(
                List.of("\"to\": \"acct-2\"\n\"lines\": [ 1, {\n  \"a\" : null\n} ]"), List.of()));
    assertThat(ArgumentText.of(json("{}")).blocks()).containsExactly("{ }");
    assertThat(ArgumentText.of(json("[1]")).blocks()).containsExactly("[ 1 ]");
  }

  @Test
  void aLongOneIsCutWithAWordAndALink() {
    ObjectNode args = args("body", "x".repeat(40_000)).put("to", "acct-2");
    ObjectNode message = message(SlackScene.asking(args));
    String plain = texts(message, "plain_text");
    assertThat(plain).contains("Not shown here:", "/body: 37", " of its 40010 characters");
    assertThat(plain).doesNotContain("/to:");
    assertThat(texts(message, "mrkdwn"))
        .contains("\"to\": \"acct-2\"", "…\n```", "<" + SlackScene.LINK + "|See all of it before");
  }

  @Test
  void whatIsSaidToBeMissingIsWhatIsMissing() {
    ArgumentText.Shown shown = ArgumentText.of(args("body", "x".repeat(9_000)));
    String block = shown.blocks().getFirst();
    int seen = block.length() - 1; // the ellipsis
    assertThat(shown.missing())
        .containsExactly("/body: " + (9_010 - seen) + " of its 9010 characters");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 12, 13, 60, 2_000})
  void manyLongOnesAreAllNamedOrCounted(int count) {
    ObjectNode args = JsonNodeFactory.instance.objectNode();
    for (int i = 0; i < count; i++) {
      args.put("n" + i + "/" + "~".repeat(70), "<&>".repeat(1_000));
    }
    ArgumentText.Shown shown = ArgumentText.of(args);
    int named = (int) shown.missing().stream().filter(each -> each.startsWith("/n")).count();
    int counted =
        shown.missing().stream()
            .filter(each -> each.startsWith("and "))
            .mapToInt(each -> Integer.parseInt(each.split(" ", 3)[1]))
            .sum();
    assertThat(named + counted).isEqualTo(count);
    assertThat(String.join("", shown.blocks())).hasSizeLessThanOrEqualTo(ArgumentText.MAX_ALL);
    message(SlackScene.asking(args));
  }

  @Test
  void whatIsNotDisclosedIsNamed() {
    WitnessRequest summary =
        SlackScene.asking(
            json("{'to':'acct-2','iban':'redacted'}"),
            Disclosure.SUMMARY,
            List.of("/iban", "/note"),
            null);
    assertThat(texts(message(summary), "plain_text")).contains("not disclosed here: /iban, /note");
    WitnessRequest digest = SlackScene.asking(null, Disclosure.DIGEST, List.of(""), null);
    ObjectNode message = message(digest);
    assertThat(texts(message, "plain_text")).contains("arguments, which are not disclosed here");
    assertThat(texts(message, "mrkdwn"))
        .contains(digest.argsDigest().value(), "See the call hc_test in heldcall")
        .doesNotContain("```");
  }
}
