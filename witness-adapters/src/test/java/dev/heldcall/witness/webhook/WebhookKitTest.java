package dev.heldcall.witness.webhook;

import static dev.heldcall.witness.FactRequests.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.tck.OtherSide;
import dev.heldcall.plugin.api.tck.SampleRequests;
import dev.heldcall.witness.HttpSides;
import dev.heldcall.witness.ServiceKit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The compatibility kit on webhooks. Of what a receiver answers only the status is looked at. */
class WebhookKitTest extends ServiceKit.AnswersLater {

  @Override
  protected WitnessProviderType type() {
    return new WebhookType();
  }

  @Override
  protected Optional<ObjectNode> settings(OtherSide side) {
    service.answers("{}");
    ObjectNode settings =
        (ObjectNode) json("{'people':{'ann':{'id':'alice'}},'remind':['5m','1h']}");
    return Optional.of(
        settings
            .put("url", HttpSides.url(service, side) + "/hook")
            .put("secret", StandardWebhooks.SECRET));
  }

  @Override
  protected Map<String, JsonNode> mistakes() {
    return Map.of(
        "url", json("'http://user:pw@host/'"),
        "secret", json("'whsec_QUJD'"),
        "previous-secret", json("'x'"),
        "people", json("{'ann':{'name':'alice'}}"),
        "remind", json("['1h','1h']"),
        "max-at-once", json("0"));
  }

  @Override
  protected List<String> secrets() {
    return List.of(StandardWebhooks.SECRET, StandardWebhooks.SECRET.substring(6));
  }

  @Override
  protected Optional<IncomingMessage> posted(WitnessRequest request, AttestationDecision decision) {
    String body = StandardWebhooks.vote(request, "ann", decision.wireName()).toString();
    return Optional.of(
        StandardWebhooks.message(
            StandardWebhooks.SECRET, "msg_1", SampleRequests.NOW.minusSeconds(10), body));
  }
}
