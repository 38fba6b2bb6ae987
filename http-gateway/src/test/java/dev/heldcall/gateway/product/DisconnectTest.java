package dev.heldcall.gateway.product;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients that are gone before they have their answer, and what a node says of itself. */
@ParameterizedClass
@EnumSource(Engine.class)
class DisconnectTest extends ProductTest {

  DisconnectTest(Engine engine) {
    super(engine);
  }

  /** Proposes, waits until the call is there, and hangs up. */
  private Held proposeAndHangUp(String onDisconnect) throws IOException {
    ObjectNode proposal = proposal("act", "rule", "human");
    proposal.set("preferences", Json.of("wait_ms", 60_000, "on_disconnect", onDisconnect));
    byte[] body = proposal.toString().getBytes(UTF_8);
    String head =
        "POST /tool-calls HTTP/1.1\r\nHost: heldcall\r\nAuthorization: Bearer "
            + agent.token()
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    String heldId = ReadingTest.heldId("agent", proposal);
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), agent.node().get().getPort())) {
      socket.getOutputStream().write(head.getBytes(UTF_8));
      socket.getOutputStream().write(body);
      socket.getOutputStream().flush();
      await().atMost(Held.PATIENCE).until(() -> agent.get("/held/" + heldId).status() == 200);
    }
    return propose(
        agent, proposal.deepCopy().set("preferences", Json.of("on_disconnect", onDisconnect)));
  }

  @Test
  void aDroppedConnectionCancelsOnlyWhereTheClientSaidSo() throws IOException {
    Held keeps = proposeAndHangUp("keep");
    Held cancels = proposeAndHangUp("cancel");
    assertThat(cancels.delivery().at("/refusal/kind").asText()).isEqualTo("cancelled");
    assertThat(keeps.read().text("/phase")).isEqualTo("HELD");
    var _ = keeps.approve(alice).is(202);
    assertThat(keeps.delivery().path("kind").asText()).isEqualTo("result");
  }

  @Test
  void theContractsOwnExampleIsTaken() {
    ObjectNode example =
        Json.object(
            """
            { "session_id": "%s", "turn_id": "t-1", "call_id": "c-1",
              "boundary": "tool",
              "tool": "money_transfer",
              "args": { "from": "acct-1", "to": "acct-2", "amount_minor": 125000, "currency": "EUR" },
              "continuation_ref": "ckpt://s-1/7",
              "depends_on": [], "parent_held_id": null,
              "preferences": { "wait_ms": 0, "timeout_s": 600, "on_disconnect": "keep",
                               "require": "human", "route": ["team"], "transform": "apply",
                               "disclosure": "full", "resume": "foreground" } }
            """
                .formatted(session()));
    Held held = propose(agent, example);
    assertThat(held.answer().is(202).text("/contract/rule")).isEqualTo("human");
    ObjectNode attestation = held.attestation("a-1", "human", "approve");
    attestation.set(
        "evidence",
        Json.of("type", "invoice", "digest", "sha256:" + "1".repeat(64), "uri", "https://x/1"));
    attestation.putNull("signature");
    var _ = held.attest(alice, attestation).is(202);
    JsonNode delivery = held.delivery();
    assertThat(delivery.path("continuation_ref").asText()).isEqualTo("ckpt://s-1/7");
    assertThat(tools.effects(held.id())).isEqualTo(1);
  }

  @Test
  void theNodeSaysThatItIsReadyAndWhoItsMembersAre() {
    Caller nobody = node.as("nobody");
    var _ = nobody.get("/health/live").is(200);
    var _ = nobody.get("/health/ready").is(200);
    assertThat(nobody.get("/openapi.json").is(200).text("/openapi")).startsWith("3.1");
    Got members = operator.get("/cluster/members").is(200);
    assertThat(members.at("/members")).hasSize(1);
    assertThat(members.at("/members/0/self").asBoolean()).isTrue();
    var _ = agent.get("/cluster/members").isProblem(403, "forbidden");
    var _ = nobody.get("/cluster/members").isProblem(401, "unauthorized");
  }
}
