package dev.heldcall.witness.signed;

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
import org.junit.jupiter.api.AfterEach;

/**
 * The compatibility kit on signed statements: the verifier checks what is posted, not the provider.
 */
class SignedStatementKitTest extends ServiceKit.AnswersLater {

  private final SigningService signer = new SigningService();

  @AfterEach
  void close() {
    signer.close();
  }

  @Override
  protected WitnessProviderType type() {
    return new SignedStatementType();
  }

  @Override
  protected Optional<ObjectNode> settings(OtherSide side) {
    service.answers("{}");
    ObjectNode settings =
        (ObjectNode)
            json("{'authorization':'Basic s3cret','signers':[{'kid':'k-1','id':'signer'}]}");
    return Optional.of(settings.put("url", HttpSides.url(service, side)));
  }

  @Override
  protected JsonNode args() {
    return json("{'service':'shop'}");
  }

  @Override
  protected Map<String, JsonNode> mistakes() {
    return Map.of(
        "url", json("'shop'"),
        "signers", json("[{'kid':'k-1','name':'x'}]"),
        "token-sha256", json("'abc'"),
        "authorization", json("7"));
  }

  @Override
  protected List<String> secrets() {
    return List.of("s3cret");
  }

  @Override
  protected Optional<IncomingMessage> posted(WitnessRequest request, AttestationDecision decision) {
    ObjectNode statement =
        signer.statement(StatementRequest.of("request", "sample", request), "k-1");
    statement
        .put("decision", decision.wireName())
        .put("issued_at", SampleRequests.NOW.minusSeconds(5).toString())
        .put("expires_at", SampleRequests.NOW.plus(SampleRequests.VALIDITY).toString());
    return Optional.of(SigningService.message(statement));
  }
}
