package dev.heldcall.witness.decision;

import static dev.heldcall.witness.FactRequests.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.tck.OtherSide;
import dev.heldcall.witness.HttpSides;
import dev.heldcall.witness.ServiceKit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The compatibility kit on policy engines. */
class PolicyEngineKitTest extends ServiceKit {

  @Override
  protected WitnessProviderType type() {
    return new PolicyEngineType();
  }

  @Override
  protected Optional<ObjectNode> settings(OtherSide side) {
    service.answers("{'result':true}".replace('\'', '"'));
    ObjectNode settings = (ObjectNode) json("{'path':'payments/allow','token':'t0ken-s3cret'}");
    return Optional.of(settings.put("url", HttpSides.url(service, side)));
  }

  @Override
  protected Map<String, JsonNode> mistakes() {
    return Map.of(
        "url", json("'opa'"),
        "path", json("'../x'"),
        "needs", json("['to']"),
        "max-at-once", json("0"),
        "token", json("7"));
  }

  @Override
  protected List<String> secrets() {
    return List.of("t0ken-s3cret");
  }
}
