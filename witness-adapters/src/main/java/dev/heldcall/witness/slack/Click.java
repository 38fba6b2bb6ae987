package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.witness.evidence.MalformedJson;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One click on a button of ours, as Slack tells of it (docs.slack.dev, "block_actions payload").
 *
 * @param user Slack's id of who clicked
 * @param team the workspace that they are of, or empty
 * @param value what the button stands for
 * @param messageAt when the message was posted
 * @param clickedAt when they clicked
 * @param answerTo where Slack takes words for whoever clicked, or null
 */
record Click(
    String user,
    String team,
    ButtonValue value,
    Instant messageAt,
    Instant clickedAt,
    @Nullable URI answerTo) {

  private static final Pattern TS = Pattern.compile("[0-9]{1,11}\\.[0-9]{6}");
  private static final Pattern ID = Pattern.compile("[A-Z0-9]{3,32}");

  /**
   * Reads a payload.
   *
   * @return empty if it tells of something else
   * @throws MalformedJson saying where it is not as Slack makes it
   */
  static Optional<Click> read(JsonNode payload) throws MalformedJson {
    List<JsonNode> ours = new ArrayList<>();
    for (JsonNode action : payload.path("actions")) {
      if (ButtonValue.isOurs(action.path("action_id").asText())) {
        ours.add(action);
      }
    }
    if (!payload.path("type").asText().equals("block_actions") || ours.isEmpty()) {
      return Optional.empty();
    }
    if (ours.size() > 1) {
      throw new MalformedJson("actions", "one click");
    }
    JsonNode action = ours.getFirst();
    JsonNode user = payload.path("user");
    Click click =
        new Click(
            id(user.path("id")),
            user.path("team_id").asText(payload.path("team").path("id").asText()),
            ButtonValue.read(
                action.path("value").asText(),
                action.path("block_id").asText(),
                action.path("action_id").asText()),
            time(payload.path("container").path("message_ts"), "container.message_ts"),
            time(action.path("action_ts"), "actions.action_ts"),
            url(payload.path("response_url")));
    if (click.clickedAt.isBefore(click.messageAt)) {
      throw new MalformedJson("actions.action_ts", "a time after the message's");
    }
    return Optional.of(click);
  }

  private static String id(JsonNode value) throws MalformedJson {
    if (!ID.matcher(value.asText()).matches()) {
      throw new MalformedJson("user.id", "an id such as U2CERLKJA");
    }
    return value.asText();
  }

  private static Instant time(JsonNode value, String place) throws MalformedJson {
    String text = value.asText();
    if (!TS.matcher(text).matches()) {
      throw new MalformedJson(place, "seconds with six digits after the point");
    }
    int point = text.indexOf('.');
    return Instant.ofEpochSecond(
        Long.parseLong(text.substring(0, point)),
        ChronoUnit.MICROS.getDuration().toNanos() * Long.parseLong(text.substring(point + 1)));
  }

  private static @Nullable URI url(JsonNode value) {
    try {
      return value.isTextual() ? new URI(value.textValue()) : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  /**
   * The attestation that the click is. All clicks of one person on one button within half the
   * validity are one attestation, however often and whenever Slack tells of them, on whichever
   * node; it is as of the beginning of that half, and so counts for half the validity at least, and
   * never for longer than all of it.
   */
  Attestation attestation(ProviderContract contract) {
    Duration half = contract.validity().dividedBy(2);
    long period = half.toMillis() == 0 ? 0 : Duration.between(messageAt, clickedAt).dividedBy(half);
    Instant issuedAt = messageAt.plus(half.multipliedBy(period)).truncatedTo(ChronoUnit.MILLIS);
    String id = value.requestId() + "." + user + "." + value.decision().wireName();
    return new Attestation(
        period == 0 ? id : id + "." + period,
        value.generation(),
        value.callDigest(),
        value.contractDigest(),
        contract.witnessClass(),
        value.decision(),
        "clicked in Slack by " + user,
        null,
        issuedAt,
        issuedAt.plus(contract.validity()),
        null);
  }
}
