package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingReply.RefusalKind;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.IncomingWitness.VoteOutcome;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.witness.evidence.MalformedJson;
import dev.heldcall.witness.evidence.PostedReplies;
import dev.heldcall.witness.evidence.StrictJson;
import java.net.URI;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes in what Slack posts. The signature says that it is Slack who posts it; whom a user id
 * stands for, the settings say; whether that person may witness the call, the kernel.
 *
 * <p>Who clicks is told what became of it. Slack shows no words in the HTTP answer to a click on a
 * block's button, so they go to its {@code response_url} as well, for only this person to see.
 */
final class SlackClicks {

  private static final int MAX_CHALLENGE = 1024;

  private final ProviderContract contract;
  private final SlackSettings settings;
  private final SlackApi api;

  SlackClicks(ProviderContract contract, SlackSettings settings, SlackApi api) {
    this.contract = contract;
    this.settings = settings;
    this.api = api;
  }

  /** What a message means. */
  IncomingWitness incoming(IncomingMessage message, Instant now) {
    String problem = settings.signature().problem(message, now);
    if (problem != null) {
      return PostedReplies.refused(RefusalKind.UNAUTHENTICATED, problem);
    }
    byte[] body = message.body();
    if (body.length > contract.maxAnswerBytes()) {
      return PostedReplies.refused(
          RefusalKind.TOO_LARGE,
          "the body is over " + contract.maxAnswerBytes() + " bytes (max-answer)");
    }
    try {
      if (body.length > 0 && body[0] == '{') {
        return event(StrictJson.parse(body));
      }
      Optional<Click> click = Click.read(StrictJson.parse(PostedForm.payload(body)));
      return click.isPresent() ? clicked(click.get()) : noInterest();
    } catch (MalformedJson e) {
      return PostedReplies.refused(RefusalKind.MALFORMED, e.reason());
    }
  }

  /** Slack asks whether this is the app's URL; other events are of no interest. */
  private static IncomingWitness event(JsonNode event) throws MalformedJson {
    if (!event.path("type").asText().equals("url_verification")) {
      return noInterest();
    }
    JsonNode challenge = event.path("challenge");
    if (!challenge.isTextual() || challenge.textValue().length() > MAX_CHALLENGE) {
      throw new MalformedJson("challenge", "a text of at most " + MAX_CHALLENGE + " characters");
    }
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    answer.set("challenge", challenge);
    return new IncomingWitness.Answered(IncomingReply.json(200, answer));
  }

  private static IncomingWitness noInterest() {
    return new IncomingWitness.Answered(
        IncomingReply.json(200, JsonNodeFactory.instance.objectNode()));
  }

  private IncomingWitness clicked(Click click) {
    String heldId = click.value().heldId();
    if (settings.team() != null && !settings.team().equals(click.team())) {
      return refused(click, "people of that workspace may not answer here");
    }
    @Nullable PrincipalRef person = settings.people().get(click.user());
    if (person == null) {
      return refused(click, "nobody is configured for the Slack user " + click.user());
    }
    return new IncomingWitness.Vote(
        heldId,
        person,
        click.attestation(contract),
        outcome -> answered(click, words(click.value().decision(), heldId, outcome)));
  }

  private IncomingWitness refused(Click click, String why) {
    return new IncomingWitness.Refused(
        click.value().heldId(),
        "by way of " + contract.id() + ": " + why,
        answered(click, "Your click does not count: " + why + "."));
  }

  private static String words(AttestationDecision decision, String heldId, VoteOutcome outcome) {
    String yours =
        (decision == AttestationDecision.APPROVE ? "Your approval of " : "Your denial of ")
            + heldId;
    String said =
        switch (outcome.disposition()) {
          case ACCEPTED -> " is taken in";
          case DUPLICATE -> " was taken in before; it counts once";
          case STALE -> " is too late, or for a call that has changed";
          case INVALID -> " does not count";
          case UNAVAILABLE -> " could not be taken in; please click again";
        };
    return outcome.reason().isBlank() ? yours + said + "." : yours + said + ": " + outcome.reason();
  }

  /** 200 always: Slack tells whoever clicked of anything else that the app is broken. */
  private IncomingReply answered(Click click, String words) {
    ObjectNode message =
        JsonNodeFactory.instance
            .objectNode()
            .put("response_type", "ephemeral")
            .put("replace_original", false)
            .put("text", SlackText.escaped(SlackText.line(words, SlackText.MAX)));
    URI url = click.answerTo();
    if (url != null && isSlacks(url)) {
      var unused = api.answer(url, message);
    }
    return IncomingReply.json(200, message);
  }

  /** Slack signs the URL too, but nothing is sent elsewhere whatever is signed. */
  private boolean isSlacks(URI url) {
    URI hooks = settings.hooks();
    return Objects.equals(url.getScheme(), hooks.getScheme())
        && Objects.equals(url.getHost(), hooks.getHost())
        && url.getPort() == hooks.getPort()
        && url.getRawUserInfo() == null;
  }
}
