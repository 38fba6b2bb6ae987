package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The story the product is for: a large transfer waits, a small one does not. */
@ParameterizedClass
@EnumSource(Engine.class)
class HeldTransferTest extends ProductTest {

  HeldTransferTest(Engine engine) {
    super(engine);
  }

  @Test
  void aLargeTransferRunsNothingUntilSomebodyElseApprovesExactlyIt() {
    Held held = holdTransfer(125_000);
    assertThat(held.read().text("/phase")).isEqualTo("HELD");
    assertThat(tools.requests(held.id())).isEmpty();

    var _ = held.approve(alice).is(202);

    JsonNode delivery = held.delivery();
    assertThat(tools.effects(held.id())).isEqualTo(1);
    assertThat(delivery.path("kind").asText()).isEqualTo("result");
    assertThat(delivery.at("/result/outcome").asText()).isEqualTo("succeeded");
    assertThat(tools.requests(held.id()).getFirst().body())
        .isEqualTo(
            "{\"amount_minor\":125000,\"currency\":\"EUR\",\"from\":\"acct-1\",\"to\":\"acct-2\"}");
  }

  @Test
  void theSameApprovalFiftyTimesAtOnceIsOneEffect() {
    Held held = holdTransfer(125_000);
    ObjectNode approval = held.attestation("a-1", "human", "approve");
    List<CompletableFuture<Got>> sent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      sent.add(alice.postSoon(held.path() + "/attestations", approval));
    }
    List<Got> answers = sent.stream().map(CompletableFuture::join).toList();

    assertThat(answers).filteredOn(each -> each.status() == 202).hasSize(1);
    assertThat(answers).filteredOn(each -> each.status() == 200).hasSize(49);
    assertThat(answers)
        .filteredOn(each -> each.status() == 200)
        .allMatch(each -> each.text("/disposition").equals("duplicate"));
    var _ = held.delivery();
    assertThat(held.attest(alice, approval).is(200).text("/disposition")).isEqualTo("duplicate");
    assertThat(tools.effects(held.id())).isEqualTo(1);
    assertThat(held.deliveries()).hasSize(1);
  }

  @Test
  void aDeliveryIsTheSameEachTimeUntilItIsAcknowledged() {
    Held held = holdTransfer(125_000);
    var _ = held.approve(alice).is(202);
    JsonNode first = held.delivery();
    assertThat(held.delivery()).isEqualTo(first);
    assertThat(first.path("acknowledged").asBoolean()).isFalse();

    String ack =
        "/sessions/"
            + held.sessionId()
            + "/deliveries/"
            + first.path("delivery_id").asText()
            + "/ack";
    var _ = agent.post(ack).is(200);
    var _ = agent.post(ack).is(200);

    ObjectNode expected = ((ObjectNode) first.deepCopy()).put("acknowledged", true);
    assertThat(held.delivery()).isEqualTo(expected);
    assertThat(held.read().text("/status/continuation_delivery")).isEqualTo("acknowledged");
    assertThat(tools.effects(held.id())).isEqualTo(1);
  }

  @Test
  void aSmallTransferIsAnsweredWithItsResult() {
    Held done = propose(agent, transfer(session(), "c-1", 500));
    Got answer = done.answer().is(200);
    assertThat(answer.text("/verdict")).isEqualTo("ALLOW");
    assertThat(answer.at("/result/content/ok").asBoolean()).isTrue();
    assertThat(tools.effects(done.id())).isEqualTo(1);
  }

  @Test
  void theSameProposalAgainInAnotherSpellingAnswersTheSameAndRunsNothing() {
    String session = session();
    Held first = propose(agent, transfer(session, "c-1", 500));
    var _ = first.answer().is(200);
    Got again = agent.post("/tool-calls", transfer(session, "c-1", 500)).is(200);
    String spelt =
        """
        { "tool": "money_trans\\u0066er", "turn_id":"t-1",
          "args": { "currency": "EUR", "amount_minor": 5.0e2, "to":"acct-2", "from":"acct\\u002d1" },
          "call_id": "c-1", "session_id": "%s", "boundary": "tool", "depends_on": [] }
        """
            .formatted(session);
    Got other = agent.post("/tool-calls", spelt).is(200);

    assertThat(again.json()).isEqualTo(first.answer().json());
    assertThat(other.json()).isEqualTo(first.answer().json());
    assertThat(tools.effects(first.id())).isEqualTo(1);
  }

  @Test
  void anotherContentUnderTheSameIdentityIsAConflict() {
    String session = session();
    Held first = propose(agent, transfer(session, "c-1", 500));
    var _ = first.answer().is(200);
    var _ =
        agent
            .post("/tool-calls", transfer(session, "c-1", 501))
            .isProblem(409, "call-identity-conflict");
    assertThat(tools.effects(first.id())).isEqualTo(1);
    assertThat(tools.requests(first.id())).hasSize(1);
  }
}
