package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.witness.Counterpart;
import dev.heldcall.witness.Counterpart.Asked;
import dev.heldcall.witness.Counterpart.Said;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A Slack workspace as far as the Web API and clicks go: it holds messages to the limits that Slack
 * documents, keeps them, gives them back page by page, and posts clicks with its signature. Written
 * from Slack's pages, not from the provider.
 */
final class SlackWorkspace implements AutoCloseable {

  static final String TOKEN = "xoxb-1234567890-s3cret";
  static final String SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
  static final String CHANNEL = "C061EG9T2";
  static final String BOT = "B0HELDCALL";

  private final Counterpart server = Counterpart.start();
  private final List<ObjectNode> messages = new ArrayList<>();
  private final List<JsonNode> told = new ArrayList<>();
  private final Map<String, Said> instead = new TreeMap<>();
  private Instant now;
  private boolean losesAnswers;

  SlackWorkspace(Instant now) {
    this.now = now;
    answersWell();
  }

  /** From now on it does as Slack does. */
  void answersWell() {
    server.answers(this::answer);
  }

  Counterpart server() {
    return server;
  }

  /** From now on the method is answered so. */
  void answers(String method, Said said) {
    instead.put(method, said);
  }

  /** From now on the method is refused with an error. */
  void refuses(String method, String error) {
    answers(method, Said.json("{\"ok\":false,\"error\":\"" + error + "\"}"));
  }

  /** From now on the method works again. */
  void allows(String method) {
    instead.remove(method);
  }

  /** From now on messages are posted and nothing is said of it, or not. */
  void losesAnswers(boolean loses) {
    losesAnswers = loses;
  }

  /** The messages of the channel, oldest first. */
  synchronized List<ObjectNode> messages() {
    return List.copyOf(messages);
  }

  /** What was sent to response URLs. */
  synchronized List<JsonNode> told() {
    return List.copyOf(told);
  }

  /** How often a method was called. */
  long calls(String method) {
    return server.asked().stream().filter(each -> each.uri().equals("/api/" + method)).count();
  }

  /** Somebody else posts. */
  synchronized ObjectNode chatter(String bot, ObjectNode message) {
    return keep(message.deepCopy(), bot);
  }

  /** As Slack does. */
  synchronized Said answer(Asked asked) {
    if (asked.uri().startsWith("/actions/")) {
      told.add(asked.json());
      return Said.status(200, "ok");
    }
    if (!("Bearer " + TOKEN).equals(asked.headers().get("authorization"))) {
      return error("invalid_auth");
    }
    String method = asked.uri().substring("/api/".length());
    Said other = instead.get(method);
    if (other != null) {
      return other;
    }
    return switch (method) {
      case "auth.test" ->
          Said.json("{\"ok\":true,\"user_id\":\"U0BOT\",\"bot_id\":\"" + BOT + "\"}");
      case "chat.postMessage" -> post((ObjectNode) asked.json());
      case "chat.update" -> update((ObjectNode) asked.json());
      case "conversations.history" -> history(form(asked.body()));
      default -> error("unknown_method");
    };
  }

  private Said post(ObjectNode message) {
    if (!message.path("channel").asText().equals(CHANNEL)) {
      return error("channel_not_found");
    }
    String problem = BlockKit.problem(message);
    if (problem != null) {
      return error(problem);
    }
    ObjectNode kept = keep(message, BOT);
    return losesAnswers
        ? Said.status(503, "")
        : Said.json(
            JsonNodeFactory.instance
                .objectNode()
                .put("ok", true)
                .put("channel", CHANNEL)
                .put("ts", kept.path("ts").asText())
                .set("message", kept)
                .toString());
  }

  private ObjectNode keep(ObjectNode message, String bot) {
    now = now.plusSeconds(1);
    message.put("ts", now.getEpochSecond() + ".000" + (100 + messages.size()));
    message.put("type", "message").put("bot_id", bot);
    messages.add(message);
    return message;
  }

  private Said update(ObjectNode message) {
    for (ObjectNode each : messages) {
      if (each.path("ts").equals(message.path("ts"))
          && message.path("channel").asText().equals(CHANNEL)) {
        String problem = BlockKit.problem(message);
        if (problem != null) {
          return error(problem);
        }
        each.setAll(message);
        return Said.json("{\"ok\":true}");
      }
    }
    return error("message_not_found");
  }

  /** Newest first, as Slack does; the cursor is where the next page begins. */
  private Said history(Map<String, String> arguments) {
    double oldest = Double.parseDouble(arguments.getOrDefault("oldest", "0"));
    boolean all = "true".equals(arguments.get("include_all_metadata"));
    List<ObjectNode> found =
        messages.reversed().stream()
            .filter(each -> each.path("ts").asDouble() >= oldest && !each.has("thread_ts"))
            .toList();
    int from = Integer.parseInt(arguments.getOrDefault("cursor", "0"));
    int to =
        Math.min(found.size(), from + Integer.parseInt(arguments.getOrDefault("limit", "100")));
    ObjectNode page = JsonNodeFactory.instance.objectNode();
    page.put("ok", true).put("has_more", to < found.size());
    ArrayNode shown = page.putArray("messages");
    for (ObjectNode each : found.subList(from, to)) {
      ObjectNode copy = each.deepCopy();
      if (!all) {
        copy.remove("metadata");
      }
      shown.add(copy);
    }
    page.putObject("response_metadata")
        .put("next_cursor", to < found.size() ? Integer.toString(to) : "");
    return Said.json(page.toString());
  }

  private static Said error(String word) {
    return Said.json("{\"ok\":false,\"error\":\"" + word + "\"}");
  }

  private static Map<String, String> form(String body) {
    return List.of(body.split("&", -1)).stream()
        .map(each -> each.split("=", 2))
        .collect(
            Collectors.toMap(
                each -> each[0], each -> URLDecoder.decode(each[1], StandardCharsets.UTF_8)));
  }

  /** What Slack posts when somebody clicks a button of a message. */
  ObjectNode payload(JsonNode message, String user, String actionId, Instant at) {
    ObjectNode payload = JsonNodeFactory.instance.objectNode();
    payload.put("type", "block_actions").put("token", "Shh").put("api_app_id", "A123");
    payload.putObject("user").put("id", user).put("username", "name").put("team_id", "T1DC2JH3J");
    payload.putObject("team").put("id", "T1DC2JH3J").put("domain", "test");
    String ts = message.path("ts").asText();
    payload
        .putObject("container")
        .put("type", "message")
        .put("message_ts", ts)
        .put("channel_id", CHANNEL)
        .put("is_ephemeral", false);
    payload.putObject("channel").put("id", CHANNEL).put("name", "approvals");
    payload.set("message", message);
    payload.put("response_url", server.url() + "/actions/T1DC2JH3J/1232321423432/D09sSasdasd");
    ArrayNode actions = payload.putArray("actions");
    for (JsonNode block : message.path("blocks")) {
      for (JsonNode element : block.path("elements")) {
        if (element.path("action_id").asText().equals(actionId)) {
          ObjectNode action = actions.addObject();
          action.put("type", "button").put("action_id", actionId);
          action.put("block_id", block.path("block_id").asText());
          action.set("text", element.path("text"));
          action.set("value", element.path("value"));
          action.put("action_ts", at.getEpochSecond() + ".000001");
        }
      }
    }
    return payload;
  }

  /** The form of a payload, signed. */
  static IncomingMessage click(JsonNode payload, Instant at) {
    return signed(
        "payload=" + URLEncoder.encode(payload.toString(), StandardCharsets.UTF_8), at, SECRET);
  }

  /** Any body, signed with a secret. */
  static IncomingMessage signed(String body, Instant at, String secret) {
    String time = Long.toString(at.getEpochSecond());
    return new IncomingMessage(
        Map.of(
            "Content-Type", List.of("application/x-www-form-urlencoded"),
            "X-Slack-Request-Timestamp", List.of(time),
            "X-Slack-Signature", List.of(signature(secret, time, body))),
        body.getBytes(StandardCharsets.UTF_8));
  }

  private static String signature(String secret, String time, String body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      byte[] bytes = ("v0:" + time + ":" + body).getBytes(StandardCharsets.UTF_8);
      return "v0=" + HexFormat.of().formatHex(mac.doFinal(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The button of a message, or null. */
  static @Nullable JsonNode button(JsonNode message, String actionId) {
    for (JsonNode block : message.path("blocks")) {
      for (JsonNode element : block.path("elements")) {
        if (element.path("action_id").asText().equals(actionId)) {
          return element;
        }
      }
    }
    return null;
  }

  @Override
  public void close() {
    server.close();
  }
}
