package dev.heldcall.witness.peer;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.witness.evidence.StrictJson;
import org.jspecify.annotations.Nullable;

/**
 * What a chat endpoint answered. Only one finished choice whose whole content is exactly the object
 * that was asked for decides anything; whatever else a model says is no decision.
 */
sealed interface ChatAnswer {

  /**
   * The model decided.
   *
   * @param approves whether for the call, or against it
   * @param reason its words
   * @param callDigest the call it says it decided
   * @param content its whole answer, as it came
   */
  record Decided(boolean approves, String reason, String callDigest, String content)
      implements ChatAnswer {}

  /** The model was reached and did not decide. */
  record Undecided(String why) implements ChatAnswer {}

  /** What came is no answer of this API. */
  record Malformed(String why) implements ChatAnswer {}

  /** Reads a body. */
  static ChatAnswer of(JsonNode body) {
    JsonNode choices = body.path("choices");
    if (!choices.isArray()) {
      return new Malformed("it has no choices");
    }
    if (choices.size() != 1) {
      return new Undecided("the model gave " + choices.size() + " answers where one was asked for");
    }
    JsonNode choice = choices.get(0);
    if (!choice.path("message").isObject()) {
      return new Malformed("its choice has no message");
    }
    JsonNode message = choice.path("message");
    String fault = fault(choice.path("finish_reason"), message);
    return fault == null ? content(message.path("content").textValue()) : new Undecided(fault);
  }

  private static @Nullable String fault(JsonNode finish, JsonNode message) {
    if (!"stop".equals(finish.textValue())) {
      return "the model did not finish its answer";
    }
    if (!"assistant".equals(message.path("role").textValue())) {
      return "the answer is not the model's own message";
    }
    if (isGiven(message.path("refusal"))) {
      return "the model refused to judge the call";
    }
    if (isGiven(message.path("tool_calls")) || isGiven(message.path("function_call"))) {
      return "the model called a tool instead of answering";
    }
    return message.path("content").isTextual() ? null : "the model gave no text";
  }

  private static boolean isGiven(JsonNode field) {
    boolean empty =
        field.isMissingNode()
            || field.isNull()
            || (field.isArray() && field.isEmpty())
            || (field.isTextual() && field.textValue().isEmpty());
    return !empty;
  }

  private static ChatAnswer content(String content) {
    JsonNode verdict = StrictJson.object(content);
    if (verdict == null
        || verdict.size() != 3
        || !verdict.path("decision").isTextual()
        || !verdict.path("reason").isTextual()
        || !verdict.path("call_digest").isTextual()) {
      return new Undecided("the model's answer is not exactly what was asked for");
    }
    String reason = verdict.get("reason").textValue();
    String digest = verdict.get("call_digest").textValue();
    return switch (verdict.get("decision").textValue()) {
      case "approve" -> new Decided(true, reason, digest, content);
      case "deny" -> new Decided(false, reason, digest, content);
      case "undecided" -> new Undecided("the model is undecided: " + reason);
      default -> new Undecided("the model's decision is none of those asked for");
    };
  }
}
