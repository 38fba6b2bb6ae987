package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The messages of a request: the arguments of chat.postMessage and chat.update. */
final class RequestMessage {

  /** What a message's metadata is known by. */
  static final String EVENT_TYPE = "heldcall_request";

  private static final int MAX_WORD = 120;
  private static final int MAX_PLACES = 12;
  private static final int MAX_REASON = 400;

  private RequestMessage() {}

  /** Asks in a channel. */
  static ObjectNode asking(WitnessRequest request, String channel) {
    String title = request.tool() + " waits for a witness";
    ObjectNode message = message(channel, title + ", proposed by " + request.proposer().id());
    ArrayNode blocks = message.putArray("blocks");
    blocks
        .addObject()
        .put("type", "header")
        .set("text", SlackText.plain(SlackText.line(title, MAX_WORD)));
    fields(blocks, request);
    List<String> unseen = arguments(blocks, request);
    if (!unseen.isEmpty()) {
      section(blocks, SlackText.plain("Not shown here:\n• " + String.join("\n• ", unseen)));
    }
    section(blocks, SlackText.markup(whereAllIs(request, !unseen.isEmpty())));
    buttons(blocks, request);
    metadata(message, request.requestId());
    return message;
  }

  private static void fields(ArrayNode blocks, WitnessRequest request) {
    ArrayNode fields = blocks.addObject().put("type", "section").putArray("fields");
    field(fields, "Tool", request.tool());
    field(fields, "Proposed by", proposer(request.proposer(), request.proposerModelFamily()));
    field(fields, "Asked for", request.witnessClass());
    field(fields, "Call", request.heldId() + ", generation " + request.generation());
    String expires = SlackText.time(request.expiresAt());
    if (expires != null) {
      context(blocks, "Expires " + expires);
    }
  }

  private static String proposer(PrincipalRef proposer, @Nullable String modelFamily) {
    String who = proposer.id() + " of " + proposer.org() + "/" + proposer.project();
    return modelFamily == null ? who : who + ", a model of the family " + modelFamily;
  }

  private static void field(ArrayNode fields, String name, String value) {
    fields.add(SlackText.plain(name + ": " + SlackText.line(value, 3 * MAX_WORD)));
  }

  /** Adds the arguments as far as disclosed, and says what a person does not see of them. */
  private static List<String> arguments(ArrayNode blocks, WitnessRequest request) {
    List<String> unseen = new ArrayList<>();
    if (request.args() == null) {
      unseen.add("the arguments, which are not disclosed here");
      return unseen;
    }
    ArgumentText.Shown shown = ArgumentText.of(request.args());
    shown.blocks().forEach(each -> section(blocks, SlackText.markup("```\n" + each + "\n```")));
    unseen.addAll(shown.missing());
    if (!request.leftOut().isEmpty()) {
      unseen.add("not disclosed here: " + places(request.leftOut()));
    }
    return unseen;
  }

  private static String places(List<String> leftOut) {
    String named =
        leftOut.stream()
            .limit(MAX_PLACES)
            .map(each -> each.isEmpty() ? "all of them" : SlackText.line(each, MAX_WORD / 2))
            .collect(Collectors.joining(", "));
    int more = leftOut.size() - MAX_PLACES;
    return more > 0 ? named + " and " + more + " more" : named;
  }

  private static String whereAllIs(WitnessRequest request, boolean isPart) {
    String link = request.link();
    String where =
        link == null
            ? "See the call " + SlackText.escaped(request.heldId()) + " in heldcall for all of it"
            : SlackText.link(link, isPart ? "See all of it before you decide" : "See the call");
    return where + "\nArguments `" + request.argsDigest() + "`";
  }

  private static void buttons(ArrayNode blocks, WitnessRequest request) {
    ObjectNode actions = blocks.addObject().put("type", "actions");
    actions.put("block_id", ButtonValue.blockId(request.requestId()));
    ArrayNode elements = actions.putArray("elements");
    for (AttestationDecision decision : AttestationDecision.values()) {
      boolean approves = decision == AttestationDecision.APPROVE;
      ButtonValue value = ButtonValue.of(request, decision);
      ObjectNode button =
          elements
              .addObject()
              .put("type", "button")
              .put("action_id", value.actionId())
              .put("style", approves ? "primary" : "danger")
              .put("value", value.text());
      button.set("text", SlackText.plain(approves ? "Approve" : "Deny"));
    }
  }

  /** Says in the request's thread, and in the channel, that the time runs out. */
  static ObjectNode reminder(WitnessRequest request, SlackReference to) {
    String expires = SlackText.time(request.expiresAt());
    ObjectNode message =
        message(to.channel(), request.tool() + " still waits for a witness (see above)");
    message.put("thread_ts", to.ts()).put("reply_broadcast", true);
    section(
        message.putArray("blocks"),
        SlackText.markup(
            SlackText.escaped(SlackText.line(request.tool(), MAX_WORD))
                + " still waits for a witness"
                + (expires == null ? "." : ": it expires " + expires + ".")));
    return message;
  }

  /** Takes the buttons off and says how it ended. */
  static ObjectNode over(WitnessWithdrawal withdrawal, SlackReference of) {
    String ended =
        SlackText.line(withdrawal.tool(), MAX_WORD)
            + ": "
            + SlackText.line(withdrawal.reason(), MAX_REASON);
    ObjectNode message = message(of.channel(), "No witness is wanted any more. " + ended);
    message.put("ts", of.ts());
    ArrayNode blocks = message.putArray("blocks");
    section(blocks, SlackText.plain("No witness is wanted any more. " + ended));
    context(blocks, "Call " + SlackText.escaped(SlackText.line(withdrawal.heldId(), MAX_WORD)));
    metadata(message, withdrawal.requestId());
    return message;
  }

  /** A message whose text is what notifications show, without anything in it that Slack acts on. */
  private static ObjectNode message(String channel, String text) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("channel", channel)
        .put("text", SlackText.escaped(SlackText.line(text, MAX_REASON)))
        .put("mrkdwn", false)
        .put("parse", "none")
        .put("link_names", false)
        .put("unfurl_links", false)
        .put("unfurl_media", false);
  }

  private static void metadata(ObjectNode message, String requestId) {
    message
        .putObject("metadata")
        .put("event_type", EVENT_TYPE)
        .putObject("event_payload")
        .put("request_id", requestId);
  }

  private static void section(ArrayNode blocks, ObjectNode text) {
    blocks.addObject().put("type", "section").set("text", text);
  }

  private static void context(ArrayNode blocks, String markup) {
    blocks.addObject().put("type", "context").putArray("elements").add(SlackText.markup(markup));
  }
}
