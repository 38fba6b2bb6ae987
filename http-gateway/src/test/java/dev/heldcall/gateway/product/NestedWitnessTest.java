package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.config.SettingsException;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Witnesses that find out by a governed call of their own (the design, nested calls). */
@ParameterizedClass
@EnumSource(Engine.class)
class NestedWitnessTest {

  private static final String WITNESSES =
      """
      looks {
        kind = governed-call
        identity { org = acme, project = default, capabilities = [act] }
        settings { tool = act, args { say { from = "/say" } }, expect { "/say" = "fine" } }
      }
      heldcall.witnesses {
        looks = ${looks} { class = looks, identity { id = looks } }
        asks = ${looks} { class = asks, identity { id = asks }, settings.args.rule = human }
        denied = ${looks} { class = denied, identity { id = denied }, settings.args.rule = deny }
        barred = ${looks} {
          class = barred, identity { id = barred }, settings.args.rule = deny
          on-nested-refused = unavailable
        }
      }
      """;

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static ToolServer tools;

  @SuppressWarnings("NullAway.Init")
  private static ProductNode node;

  NestedWitnessTest(Engine engine) {
    assertThat(engine).isNotNull();
  }

  @BeforeParameterizedClassInvocation
  static void starts(Engine engine) throws IOException, SettingsException {
    Path own = folder.resolve(engine.name());
    tools = new ToolServer();
    node = new ProductNode(own, engine.fresh(own.resolve("data")), tools);
    var _ = node.start(WITNESSES, Clock.systemUTC());
  }

  @AfterParameterizedClassInvocation
  static void closes() {
    node.close();
    tools.close();
  }

  private static Held held(String rule, String say) {
    ObjectNode proposal = ProductTest.proposal("act", "say", say);
    proposal.putObject("preferences").put("require", rule);
    Held held = ProductTest.propose(node.as("acme-agent"), proposal);
    var _ = held.answer().is(202);
    return held;
  }

  private static Got operator(Held held) {
    return node.as("acme-operator").get("/held/" + held.id()).is(200);
  }

  /** The call that the provider proposed. */
  private static JsonNode nested(Held held) {
    String reference =
        held.until(it -> it.at("/routes/0/state").asText().equals("nested"))
            .text("/routes/0/reason");
    String id = reference.substring(reference.indexOf("hc_"));
    return node.as("acme-operator").get("/held/" + id).is(200).json();
  }

  @Test
  void aWitnessCallsAToolAndTheCallIsReleased() {
    Held held = held("looks", "fine");
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
    Got seen = operator(held);
    assertThat(seen.text("/status/evidence/0/witness")).isEqualTo("looks");
    assertThat(seen.text("/status/evidence/0/evidence/uri")).startsWith("/held/hc_");
    assertThat(tools.effects(held.id())).isEqualTo(1);
  }

  @Test
  void anotherResultIsTheWitnessesDeny() {
    Held held = held("looks", "rotten");
    JsonNode refusal = held.delivery().path("refusal");
    assertThat(refusal.path("by").asText()).isEqualTo("looks");
    assertThat(refusal.path("reason").asText()).contains("/say");
    assertThat(tools.requests(held.id())).isEmpty();
  }

  @Test
  void field23_theNestedCallIsHeldByItselfAndItsApprovalIsNotTheOuterOne() {
    Held held = held("asks", "fine");
    JsonNode inner = nested(held);
    assertThat(inner.path("parent_held_id").asText()).isEqualTo(held.id());
    assertThat(inner.at("/principal/id").asText()).isEqualTo("asks");
    assertThat(inner.path("phase").asText()).isEqualTo("HELD");
    assertThat(tools.requests(held.id())).isEmpty();

    var _ = approve(inner).is(202);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
  }

  @Test
  void aRefusedNestedCallIsADenyWhereTheContractSaysSo() {
    Held held = held("denied", "fine");
    JsonNode refusal = held.delivery().path("refusal");
    assertThat(refusal.path("by").asText()).isEqualTo("denied");
    assertThat(refusal.path("reason").asText()).contains("refused");
  }

  @Test
  void aRefusedNestedCallIsOtherwiseAWitnessThatCannotTell() {
    Held held = held("barred", "fine");
    Got seen = held.until(it -> it.at("/routes/0/state").asText().equals("unavailable"));
    assertThat(seen.text("/routes/0/reason")).contains("refused");
    assertThat(seen.at("/explain").toString()).contains("barred is unavailable");
    assertThat(seen.text("/phase")).isEqualTo("HELD");
    assertThat(tools.requests(held.id())).isEmpty();
  }

  @Test
  void aNestedCallEndsWithTheCallThatItServes() {
    Held held = held("asks", "fine");
    JsonNode inner = nested(held);
    var _ = held.cancel("never mind").is(200);
    String path = "/held/" + inner.path("held_id").asText();
    org.awaitility.Awaitility.await()
        .atMost(Held.PATIENCE)
        .until(
            () -> node.as("acme-operator").get(path).text("/status/lifecycle"),
            "cancelled"::equals);
    var _ = approve(inner).is(409);
  }

  private static Got approve(JsonNode call) {
    ObjectNode attestation =
        Json.of(
            "attestation_id",
            "a-1",
            "generation",
            1,
            "witness_class",
            "human",
            "decision",
            "approve",
            "issued_at",
            java.time.Instant.now().toString(),
            "expires_at",
            java.time.Instant.now().plusSeconds(3600).toString());
    attestation.set("call_digest", call.path("call_digest"));
    attestation.set("contract_digest", call.at("/contract/digest"));
    return node.as("acme-alice")
        .post("/held/" + call.path("held_id").asText() + "/attestations", attestation);
  }
}
