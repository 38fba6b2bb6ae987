package dev.heldcall.witness.decision;

import static dev.heldcall.witness.FactRequests.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.tck.OtherSide;
import dev.heldcall.plugin.api.tck.WitnessProviderKit;
import dev.heldcall.witness.Counterpart;
import dev.heldcall.witness.HttpSides;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** The compatibility kit on policy engines. */
class PolicyEngineKitTest extends WitnessProviderKit {

  private final Counterpart service = Counterpart.start();

  @AfterEach
  void close() {
    service.close();
  }

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
  protected JsonNode args() {
    return json("{'to':'acct-2','amount_minor':125000}");
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
