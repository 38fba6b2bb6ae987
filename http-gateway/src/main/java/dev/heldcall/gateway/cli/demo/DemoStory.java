package dev.heldcall.gateway.cli.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.cli.bank.AnswerGate;
import dev.heldcall.gateway.cli.bank.Bank;
import dev.heldcall.gateway.cli.demo.DemoClient.Answer;
import dev.heldcall.gateway.cli.process.NodeProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The money_transfer story: a transfer that needs a witness, through wrong approvals and two
 * crashes, to one effect and one delivery.
 *
 * <p>Every sentence that it prints as held was compared first; the first that does not hold ends it
 * with a {@link DemoFailure}. What the bank did is asked of the bank, never of the node.
 */
public final class DemoStory {

  private static final String SESSION = "demo-large";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String WRONG_DIGEST = "sha256:" + "0".repeat(64);

  private final DemoTerminal terminal;
  private final NodeProcess node;
  private final Bank bank;
  private final DemoClient agent;
  private final DemoClient alice;
  private final ObjectNode proposal;

  /** The story on {@code terminal}, against a node that is not started yet. */
  public DemoStory(DemoTerminal terminal, NodeProcess node, Bank bank) {
    this.terminal = terminal;
    this.node = node;
    this.bank = bank;
    this.agent = new DemoClient(node::uri, "dev-agent");
    this.alice = new DemoClient(node::uri, "dev-alice");
    this.proposal = DemoBodies.proposal(SESSION, 125_000);
  }

  /**
   * Tells all of it.
   *
   * @throws DemoFailure at the first claim that does not hold
   */
  public void tell() {
    terminal.title("Heldcall demo: a transfer that needs a witness");
    node.start();
    terminal.note("bank  " + bank.uri() + "  runs only what carries a permit, and counts it");
    terminal.note("node  " + node.uri() + "  pid " + node.pid());

    smallTransfer();
    Answer held = largeTransfer();
    String heldId = held.text("/held_id");
    pastTheKernel();
    ownApproval(held);
    wrongDigest(held);
    killedWhileHeld(heldId, held);
    ObjectNode approval = DemoBodies.approval("approval-1", held);
    killedBetweenEffectAndRecord(heldId, approval);
    JsonNode delivery = recovered(heldId);
    acknowledged(heldId, delivery);
    againAndAgain(heldId, approval, delivery);
    history(heldId);

    terminal.check("1 effect", 1, effects(heldId));
  }

  private void smallTransfer() {
    terminal.step("A small transfer is allowed and runs at once");
    ObjectNode small = DemoBodies.proposal("demo-small", 2_500);
    small.putObject("preferences").put("wait_ms", 20_000);
    Answer answer = proposeUntilDone(small);
    terminal.check("executed, with the bank's result", 200, answer.status());
    terminal.check("verdict ALLOW", "ALLOW", answer.text("/verdict"));
    terminal.check("the bank counts 1 effect of it", 1, effects(answer.text("/held_id")));
  }

  private Answer largeTransfer() {
    terminal.step("A large one is held: written down, asked about, not run");
    Answer answer = propose(proposal);
    terminal.check("held, not executed", 202, answer.status());
    terminal.note("held_id         " + answer.text("/held_id"));
    terminal.note("call_digest     " + answer.text("/call_digest"));
    terminal.note(
        "contract        rule '%s', %s"
            .formatted(answer.text("/contract/rule"), answer.text("/contract/digest")));
    terminal.check("a person must witness it", "human", answer.text("/contract/rule"));
    terminal.check("the bank saw nothing of it", 0, effects(answer.text("/held_id")));
    return answer;
  }

  private void pastTheKernel() {
    terminal.step("Going round the kernel does not help: no permit, no effect");
    int before = bank.effects().size();
    terminal.sent("somebody", "POST /transfers straight to the bank");
    Answer answer = new DemoClient(bank::uri, null).post("/transfers", proposal.path("args"));
    terminal.received(answer.status(), answer.text("/error"));
    terminal.check("the bank refuses", 403, answer.status());
    terminal.check("and books nothing", before, bank.effects().size());
  }

  private void ownApproval(Answer held) {
    terminal.step("The proposer cannot approve its own call");
    Answer answer =
        attest(agent, "agent-1", held.text("/held_id"), DemoBodies.approval("own-1", held));
    terminal.check(
        "refused",
        answer.status() == 403 || answer.status() == 422,
        "403 or 422",
        String.valueOf(answer.status()));
    stillHeld(held.text("/held_id"));
  }

  private void wrongDigest(Answer held) {
    terminal.step("An approval of something else releases nothing");
    ObjectNode wrong = DemoBodies.approval("wrong-1", held).put("call_digest", WRONG_DIGEST);
    Answer answer = attest(alice, "alice", held.text("/held_id"), wrong);
    terminal.check("refused as stale", 409, answer.status());
    terminal.check("disposition stale", "stale", answer.text("/disposition"));
    stillHeld(held.text("/held_id"));
  }

  private void killedWhileHeld(String heldId, Answer held) {
    terminal.step("kill -9 while the call is held; a fresh process finds it again");
    restart("kill -9 " + node.pid(), () -> {});
    Answer answer = read(heldId);
    terminal.check("still held", "HELD", answer.text("/phase"));
    terminal.check(
        "the same call, digest for digest", held.text("/call_digest"), answer.text("/call_digest"));
    terminal.check("with the same deadline", held.text("/expires_at"), answer.text("/expires_at"));
  }

  private void killedBetweenEffectAndRecord(String heldId, ObjectNode approval) {
    terminal.step("Alice approves exactly this call; the node dies between effect and record");
    Crash crash = new Crash();
    bank.beforeAnswering(crash);
    Answer answer = attest(alice, "alice", heldId, approval);
    terminal.check("accepted", "accepted-for-verification", answer.text("/disposition"));
    terminal.check("the bank made its effect", crash.awaitEffect(), "an effect", "none");
    terminal.check("and counts 1", 1, effects(heldId));
    restart("kill -9 " + node.pid() + " before the bank has answered", crash::nodeIsDead);
    bank.beforeAnswering(AnswerGate.OPEN);
  }

  private JsonNode recovered(String heldId) {
    terminal.step("The new process does not run it again: it reads back what happened");
    terminal.sent("agent-1", "GET /sessions/" + SESSION + "/deliveries");
    JsonNode delivery = awaitDelivery(heldId);
    terminal.received(
        200,
        "%s %s, %s"
            .formatted(
                delivery.path("kind").asText(),
                delivery.at("/result/outcome").asText(),
                delivery.at("/result/content")));
    terminal.check("the result, succeeded", "succeeded", delivery.at("/result/outcome").asText());
    terminal.check(
        "what ran is what was approved",
        125_000,
        delivery.at("/result/content/amount_minor").asInt());
    terminal.check(
        "the bank was asked, not told",
        bank.readBacks() > 0,
        "a read-back",
        bank.readBacks() + " read-backs");
    terminal.check("still 1 effect", 1, effects(heldId));
    terminal.check("recorded", "effect-recorded", read(heldId).text("/status/execution"));
    return delivery;
  }

  private void acknowledged(String heldId, JsonNode delivery) {
    terminal.step("The session gets one delivery, and acknowledges it");
    String deliveryId = delivery.path("delivery_id").asText();
    terminal.sent("agent-1", "POST …/deliveries/" + deliveryId + "/ack, twice");
    String path = "/sessions/" + SESSION + "/deliveries/" + deliveryId + "/ack";
    Answer first = agent.post(path, DemoClient.JSON.createObjectNode());
    Answer second = agent.post(path, DemoClient.JSON.createObjectNode());
    terminal.received(first.status(), "and " + second.status());
    terminal.check("acknowledged", List.of(200, 200), List.of(first.status(), second.status()));
    terminal.check(
        "seen so in the call", "acknowledged", read(heldId).text("/status/continuation_delivery"));
    Answer list = agent.get("/sessions/" + SESSION + "/deliveries");
    terminal.check("1 delivery in all", 1, list.body().path("items").size());
  }

  private void againAndAgain(String heldId, ObjectNode approval, JsonNode delivery) {
    terminal.step("The same approval and the same proposal again change nothing");
    Answer duplicate = attest(alice, "alice", heldId, approval);
    terminal.check("the approval is a duplicate", "duplicate", duplicate.text("/disposition"));
    Answer same = propose(proposal);
    terminal.check("the proposal is answered with the result", 200, same.status());
    terminal.check(
        "the same result", delivery.at("/result/content"), same.body().at("/result/content"));
    terminal.check(
        "the same delivery", delivery.path("delivery_id").asText(), same.text("/delivery_id"));
  }

  private void history(String heldId) {
    terminal.step("The ledger's history of that call");
    Answer answer = agent.get("/held/" + heldId + "/history");
    terminal.check("on record, refusals included", 200, answer.status());
    for (JsonNode item : answer.body().path("items")) {
      terminal.note(
          "%3d  %s  %-28s %s"
              .formatted(
                  item.path("seq").asInt(),
                  item.path("at").asText(),
                  item.path("type").asText(),
                  actor(item.path("actor"))));
    }
  }

  private static String actor(JsonNode actor) {
    return actor.isTextual() ? actor.textValue() : actor.path("id").asText();
  }

  private Answer propose(ObjectNode body) {
    JsonNode args = body.path("args");
    terminal.sent(
        "agent-1",
        "POST /tool-calls  money_transfer %s → %s, %,.2f %s"
            .formatted(
                args.path("from").asText(),
                args.path("to").asText(),
                args.path("amount_minor").asInt() / 100.0,
                args.path("currency").asText()));
    Answer answer = agent.post("/tool-calls", body);
    terminal.received(answer.status(), answer.text("/verdict") + summary(answer));
    return answer;
  }

  /** A machine that is busy answers 202 while the tool runs; the same again is always safe. */
  private Answer proposeUntilDone(ObjectNode body) {
    Instant end = Instant.now().plus(PATIENCE);
    Answer answer = propose(body);
    while (answer.status() == 202 && Instant.now().isBefore(end)) {
      terminal.note("it runs still: the same proposal again, which is always safe");
      answer = propose(body);
    }
    return answer;
  }

  private static String summary(Answer answer) {
    String outcome = answer.text("/result/outcome");
    return outcome.isEmpty() ? answer.text("/detail") : " " + outcome;
  }

  private Answer attest(DemoClient who, String name, String heldId, ObjectNode attestation) {
    terminal.sent(
        name,
        "POST …/attestations  approve, call_digest %.19s…"
            .formatted(attestation.path("call_digest").asText()));
    Answer answer = who.post("/held/" + heldId + "/attestations", attestation);
    terminal.received(answer.status(), answer.text("/disposition") + "  " + answer.text("/reason"));
    return answer;
  }

  private Answer read(String heldId) {
    return agent.get("/held/" + heldId);
  }

  private void stillHeld(String heldId) {
    terminal.check("still held", "HELD", read(heldId).text("/phase"));
    terminal.check("nothing ran", 0, effects(heldId));
  }

  private void restart(String how, Runnable whileDead) {
    terminal.sent("demo", how);
    node.kill();
    whileDead.run();
    node.start();
    terminal.note("node  " + node.uri() + "  pid " + node.pid());
  }

  /** Nobody asks for the call: its delivery comes because the node looks for unfinished work. */
  private JsonNode awaitDelivery(String heldId) {
    Instant end = Instant.now().plus(PATIENCE);
    while (Instant.now().isBefore(end)) {
      Answer answer = agent.get("/sessions/" + SESSION + "/deliveries?wait_ms=10000");
      for (JsonNode item : answer.body().path("items")) {
        if (item.path("held_id").asText().equals(heldId)) {
          return item;
        }
      }
    }
    throw new DemoFailure(
        "the delivery comes",
        "a delivery within " + PATIENCE.toSeconds() + " s",
        read(heldId).body().toString());
  }

  private int effects(String heldId) {
    return (int) bank.effects().stream().filter(e -> e.permit().heldId().equals(heldId)).count();
  }
}
