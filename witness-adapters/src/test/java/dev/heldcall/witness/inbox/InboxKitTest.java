package dev.heldcall.witness.inbox;

import static dev.heldcall.witness.FactRequests.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.tck.OtherSide;
import dev.heldcall.witness.HttpSides;
import dev.heldcall.witness.ServiceKit;
import dev.heldcall.witness.webhook.StandardWebhooks;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The compatibility kit on the inbox, whose other side is whoever is told of assignments. */
class InboxKitTest extends ServiceKit.AnswersLater {

  @Override
  protected WitnessProviderType type() {
    return new InboxType();
  }

  @Override
  protected Optional<ObjectNode> settings(OtherSide side) {
    service.answers("{}");
    ObjectNode settings =
        (ObjectNode)
            json(
                "{'groups':{'treasury':['alice','bob'],'managers':['carol']},"
                    + "'assign':[{'tools':['money_*'],'to':'treasury'}],"
                    + "'reassign':[{'after':'1h','to':'managers'}],'remind':['5m','30m']}");
    settings
        .putObject("notify")
        .put("url", HttpSides.url(service, side) + "/notify")
        .put("secret", StandardWebhooks.SECRET);
    return Optional.of(settings);
  }

  @Override
  protected Map<String, JsonNode> mistakes() {
    return Map.of(
        "groups", json("{'treasury':[]}"),
        "assign", json("[{'to':'nobody'}]"),
        "reassign", json("[{'after':'0s','to':'managers'}]"),
        "delegations", json("[{'from':'dave','to':'alice'}]"),
        "people", json("['treasury','']"),
        "remind", json("['soon']"),
        "notify", json("{'url':'http://127.0.0.1/'}"));
  }

  @Override
  protected List<String> secrets() {
    return List.of(StandardWebhooks.SECRET.substring(6));
  }
}
