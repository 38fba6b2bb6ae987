package dev.heldcall.witness.ci;

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

/** The compatibility kit on CI checks. */
class CiChecksKitTest extends ServiceKit {

  @Override
  protected WitnessProviderType type() {
    return new CiChecksType();
  }

  @Override
  protected Optional<ObjectNode> settings(OtherSide side) {
    service.answers(Forge.runs(Forge.run("mighty_readme", "completed", "success", 4, 1)));
    ObjectNode settings =
        (ObjectNode)
            json(
                "{'repo':'/repo','commit':'/commit','checks':['mighty_readme'],"
                    + "'token':'t0ken-s3cret','webhook-secret':'h00k-s3cret'}");
    return Optional.of(settings.put("api", HttpSides.url(service, side)));
  }

  @Override
  protected JsonNode args() {
    return json("{'repo':'github/hello-world','commit':'" + Forge.SHA + "'}");
  }

  @Override
  protected Map<String, JsonNode> mistakes() {
    return Map.of(
        "api", json("'service'"),
        "commit", json("'commit'"),
        "checks", json("[]"),
        "accept", json("['failure']"),
        "on-failure", json("'approve'"),
        "poll", json("'often'"),
        "repositories", json("['../..']"),
        "max-at-once", json("0"));
  }

  @Override
  protected List<String> secrets() {
    return List.of("t0ken-s3cret", "h00k-s3cret");
  }
}
