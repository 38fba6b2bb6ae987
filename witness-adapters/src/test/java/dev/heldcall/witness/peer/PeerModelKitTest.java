package dev.heldcall.witness.peer;

import static dev.heldcall.witness.FactRequests.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.tck.OtherSide;
import dev.heldcall.plugin.api.tck.SampleRequests;
import dev.heldcall.witness.HttpSides;
import dev.heldcall.witness.ServiceKit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The compatibility kit on peer models. */
class PeerModelKitTest extends ServiceKit {

  @Override
  protected WitnessProviderType type() {
    return new PeerModelType();
  }

  @Override
  protected Optional<ObjectNode> settings(OtherSide side) {
    ObjectNode verdict = (ObjectNode) json("{'decision':'deny','reason':'over the limit'}");
    verdict.put("call_digest", SampleRequests.of(args(), Disclosure.FULL).callDigest().value());
    service.answers(ChatAnswerTest.answer(verdict.toString()).toString());
    ObjectNode settings =
        (ObjectNode)
            json(
                "{'model':'gpt-5.4','model-family':'family-b','criteria':'At most 2000 EUR.',"
                    + "'token':'t0ken-s3cret'}");
    return Optional.of(settings.put("url", HttpSides.url(service, side) + "/v1/chat/completions"));
  }

  @Override
  protected Map<String, JsonNode> mistakes() {
    return Map.of(
        "url", json("'chat'"),
        "model", json("''"),
        "criteria", json("null"),
        "max-tokens", json("1.5"),
        "token", json("{}"));
  }

  @Override
  protected List<String> secrets() {
    return List.of("t0ken-s3cret");
  }
}
