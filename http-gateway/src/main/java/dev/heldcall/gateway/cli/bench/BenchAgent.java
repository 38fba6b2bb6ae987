package dev.heldcall.gateway.cli.bench;

import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** An agent with a session and a person who approves, over one connection. */
final class BenchAgent implements AutoCloseable {

  private static final String AGENT = "dev-agent";
  private static final String WITNESS = "dev-alice";

  private final Wire wire;
  private final String session;
  private long proposed;
  private long received;

  BenchAgent(URI node, String session) throws IOException {
    this.wire = new Wire(node);
    this.session = session;
  }

  /**
   * A call that waits for a person.
   *
   * @param heldId its id
   * @param callDigest its digest
   * @param contractDigest its contract's
   */
  record Held(String heldId, String callDigest, String contractDigest) {}

  /** Proposes the session's next call, which is held. */
  Held propose() throws IOException {
    String body =
        "{\"session_id\":\""
            + session
            + "\",\"turn_id\":\"turn-1\",\"call_id\":\"call-"
            + proposed++
            + "\",\"tool\":\"money_transfer\",\"args\":{\"from\":\"acct-1\",\"to\":\"acct-2\","
            + "\"amount_minor\":125000,\"currency\":\"EUR\"},"
            + "\"continuation_ref\":\"ckpt://bench/1\"}";
    Wire.Answer answer = expect(202, wire.post(AGENT, "/tool-calls", body));
    return new Held(
        answer.text("held_id"), answer.text("call_digest"), answer.textIn("contract", "digest"));
  }

  /** Approves it, as a person would. */
  void approve(Held held) throws IOException {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    String body =
        "{\"attestation_id\":\"a-1\",\"generation\":1,\"call_digest\":\""
            + held.callDigest()
            + "\",\"contract_digest\":\""
            + held.contractDigest()
            + "\",\"witness_class\":\"human\",\"decision\":\"approve\",\"reason\":\"checked\","
            + "\"issued_at\":\""
            + now
            + "\",\"expires_at\":\""
            + now.plusSeconds(3600)
            + "\"}";
    expect(202, wire.post(WITNESS, "/held/" + held.heldId() + "/attestations", body));
  }

  /** Waits for the session's next delivery, and says its id. */
  String receive() throws IOException {
    String path = "/sessions/" + session + "/deliveries?limit=1&wait_ms=30000&after=" + received;
    Wire.Answer answer = expect(200, wire.get(AGENT, path));
    received++;
    if (!answer.body().contains("\"succeeded\"")) {
      throw new IllegalStateException("expected one succeeded result, found " + answer.body());
    }
    return answer.text("delivery_id");
  }

  void acknowledge(String deliveryId) throws IOException {
    expect(
        200, wire.post(AGENT, "/sessions/" + session + "/deliveries/" + deliveryId + "/ack", ""));
  }

  /** The call's history. */
  String history(String heldId) throws IOException {
    return expect(200, wire.get(AGENT, "/held/" + heldId + "/history")).body();
  }

  private static Wire.Answer expect(int status, Wire.Answer answer) {
    if (answer.status() != status) {
      throw new IllegalStateException(
          "expected " + status + ", found " + answer.status() + " " + answer.body());
    }
    return answer;
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
