package dev.heldcall.witness.slack;

import static dev.heldcall.witness.FactRequests.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.tck.OtherSide;
import dev.heldcall.plugin.api.tck.SampleRequests;
import dev.heldcall.plugin.api.tck.WitnessProviderKit;
import dev.heldcall.witness.HttpSides;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** The compatibility kit on Slack. */
class SlackKitTest extends WitnessProviderKit {

  private final SlackWorkspace workspace =
      new SlackWorkspace(SampleRequests.NOW.minus(Duration.ofSeconds(80)));

  @AfterEach
  void close() {
    workspace.close();
  }

  @Override
  protected WitnessProviderType type() {
    return new SlackType();
  }

  @Override
  protected Optional<ObjectNode> settings(OtherSide side) {
    workspace.answersWell();
    ObjectNode settings =
        (ObjectNode) json("{'people':{'U2CERLKJA':{'id':'alice'}},'remind':['5m','30m']}");
    return Optional.of(
        settings
            .put("token", SlackWorkspace.TOKEN)
            .put("signing-secret", SlackWorkspace.SECRET)
            .put("channel", SlackWorkspace.CHANNEL)
            .put("hooks", workspace.server().url())
            .put("api", HttpSides.url(workspace.server(), side) + "/api"));
  }

  @Override
  protected JsonNode args() {
    return json("{'to':'acct-2','amount_minor':125000}");
  }

  @Override
  protected Map<String, JsonNode> mistakes() {
    return Map.of(
        "token", json("'no token'"),
        "signing-secret", json("'short'"),
        "api", json("'slack'"),
        "hooks", json("'ftp://hooks.slack.com'"),
        "channel", json("'#approvals'"),
        "routes", json("[{'tools':['a*'],'channel':'C1','x':1}]"),
        "people", json("{'alice':{'id':'alice'}}"),
        "team", json("'acme'"),
        "remind", json("['soon']"),
        "history-page", json("0"));
  }

  @Override
  protected List<String> secrets() {
    return List.of(SlackWorkspace.TOKEN, SlackWorkspace.SECRET);
  }

  @Override
  protected boolean answersAtOnce() {
    return false;
  }

  @Override
  protected Optional<IncomingMessage> posted(WitnessRequest request, AttestationDecision decision) {
    ObjectNode message = RequestMessage.asking(request, SlackWorkspace.CHANNEL);
    workspace.chatter(SlackWorkspace.BOT, message);
    return Optional.of(
        SlackWorkspace.click(
            workspace.payload(
                workspace.messages().getLast(),
                "U2CERLKJA",
                "heldcall_" + decision.wireName(),
                SampleRequests.NOW),
            SampleRequests.NOW));
  }
}
