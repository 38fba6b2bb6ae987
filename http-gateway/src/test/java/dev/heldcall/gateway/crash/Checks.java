package dev.heldcall.gateway.crash;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.gateway.crash.Client.NodeGoneException;
import dev.heldcall.gateway.crash.Ledger.Call;
import dev.heldcall.gateway.crash.Ledger.Said;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Holds what stands after a story against what its clients were told while it went on. */
final class Checks {

  private static final int ROUNDS = 20;

  /** Strands whose tools leave the outcome in doubt without any crash. */
  private static final Set<String> UNKNOWN_ANYWAY =
      Set.of("read-back", "idempotent", "unknown", "no-effect-first");

  private final Client client;
  private final Story story;
  private final List<String> wrong = new ArrayList<>();
  private final Map<String, JsonNode> calls = new HashMap<>();
  private final Map<String, JsonNode> histories = new HashMap<>();
  private final Map<String, JsonNode> deliveries = new HashMap<>();

  private Checks(Client client, Story story) {
    this.client = client;
    this.story = story;
  }

  /**
   * What came out.
   *
   * @param wrong what is not as it must be; empty if all is
   * @param recovered what became of calls whose outcome the crash had left in doubt
   */
  record Result(List<String> wrong, List<String> recovered) {}

  /** Checks a story that is at its end. */
  static Result of(CrashNode node, Story story) throws NodeGoneException {
    try (Client client = new Client(node.uri())) {
      Checks checks = new Checks(client, story);
      checks.read();
      checks.whatWasAcknowledgedIsThere();
      checks.everyEffectIsOne();
      for (Call call : story.ledger().calls()) {
        checks.everyEffectHasItsEvidence(call);
        checks.nothingIsLeft(call);
      }
      checks.nothingIsReadyOrUnknown();
      return new Result(checks.wrong, checks.recovered());
    }
  }

  private void read() throws NodeGoneException {
    for (Call call : story.ledger().calls()) {
      String path = "/held/" + call.heldId();
      calls.put(call.heldId(), client.get(call.token(), path).is(200).body());
      histories.put(
          call.heldId(), client.get(call.token(), path + "/history").is(200).body().path("items"));
      String list = "/sessions/" + call.sessionId() + "/deliveries?limit=500";
      for (JsonNode item : client.get(call.token(), list).is(200).body().path("items")) {
        JsonNode before = deliveries.put(item.path("held_id").asText(), item);
        if (before != null && !before.path("seq").equals(item.path("seq"))) {
          wrong.add("two deliveries for one call: " + before + " and " + item);
        }
      }
    }
  }

  private JsonNode call(Call call) {
    return calls.getOrDefault(call.heldId(), Json.of());
  }

  private JsonNode history(Call call) {
    return histories.getOrDefault(call.heldId(), Json.of());
  }

  private void expect(boolean holds, String what, Call call, Object detail) {
    if (!holds) {
      wrong.add(what + ": " + call + " " + detail + " in " + history(call));
    }
  }

  private void whatWasAcknowledgedIsThere() throws NodeGoneException {
    long epoch = client.get("owner", "/policies/acme").is(200).body().path("epoch").asLong();
    for (Said said : story.ledger().said()) {
      Call call = said.call();
      JsonNode value = said.value();
      String text = value.asText();
      switch (said.what()) {
        case PROPOSED -> expect(generationWith(call, text), "a proposal was lost", call, text);
        case ATTESTED ->
            expect(
                event(call, "attestation-accepted", text), "an attestation was lost", call, text);
        case REFUSED ->
            expect(
                event(call, "attestation-refused", text)
                    || event(call, "attestation-accepted", text),
                "a refusal was lost",
                call,
                text);
        case REVOKED ->
            expect(event(call, "attestation-revoked", text), "a revocation was lost", call, text);
        case EDITED ->
            expect(
                call(call).path("generation").asInt() >= value.asInt(),
                "an edit was lost",
                call,
                text);
        case CANCELLED ->
            expect(
                call(call).at("/status/lifecycle").asText().equals("cancelled"),
                "a cancel was lost",
                call,
                text);
        case LEASED -> expect(event(call, "lease-granted", text), "a lease was lost", call, text);
        case REPORTED ->
            expect(event(call, "outcome-recorded", text), "an outcome was lost", call, text);
        case RESOLVED ->
            expect(
                call(call).at("/resolution/outcome").asText().equals(text),
                "a resolution was lost",
                call,
                text);
        case EPOCH ->
            expect(value.asLong() <= epoch, "the epoch fell back", call, text + " to " + epoch);
        case DELIVERED -> sameDelivery(call, value);
        case ACKNOWLEDGED ->
            expect(
                event(call, "delivery-acknowledged", text)
                    && delivery(call).path("acknowledged").asBoolean(),
                "an acknowledgement was lost",
                call,
                delivery(call));
        case HISTORY -> sameBeginning(call, value);
      }
    }
  }

  private JsonNode delivery(Call call) {
    return deliveries.getOrDefault(call.heldId(), Json.of());
  }

  private boolean generationWith(Call call, String digest) {
    return call(call).path("call_digest").asText().equals(digest)
        || history(call).toString().contains("\"" + digest + "\"");
  }

  /** Whether the history has an event of the type that has the text as a value. */
  private boolean event(Call call, String type, String text) {
    for (JsonNode event : history(call)) {
      if (event.path("type").asText().equals(type)
          && (text.isEmpty() || event.path("data").toString().contains("\"" + text + "\""))) {
        return true;
      }
    }
    return false;
  }

  private void sameDelivery(Call call, JsonNode seen) {
    JsonNode now = delivery(call);
    for (String field : new String[] {"kind", "result", "refusal", "delivery_id", "seq"}) {
      if (seen.has(field)) {
        expect(
            seen.path(field).equals(now.path(field)),
            "another delivery than before",
            call,
            seen + " and then " + now);
      }
    }
  }

  private void sameBeginning(Call call, JsonNode before) {
    for (int i = 0; i < before.size(); i++) {
      expect(
          before.get(i).equals(history(call).path(i)),
          "another history than before",
          call,
          before.get(i));
    }
  }

  private void everyEffectIsOne() {
    for (Call call : story.ledger().calls()) {
      Map<String, Integer> counts = new HashMap<>();
      for (ToolLedger.Effect effect : story.tools().effects(call.heldId())) {
        int count = counts.merge(effect.key(), 1, Integer::sum);
        expect(count == 1 || effect.idempotent(), "an effect more than once", call, effect);
        expect(effect.key().startsWith(call.heldId() + "."), "a key of another call", call, effect);
      }
    }
  }

  /** Each effect has a lease in the journal, and the lease what it was granted on, before it. */
  private void everyEffectHasItsEvidence(Call call) {
    List<ToolLedger.Effect> effects = story.tools().effects(call.heldId());
    expect(effects.isEmpty() || call.approvals() >= 0, "an effect that must not be", call, effects);
    Evidence evidence = Evidence.of(history(call));
    for (Evidence.Granted lease : evidence.leases()) {
      expect(
          lease.approvals() >= call.approvals() && call.approvals() >= 0,
          "a lease without its evidence",
          call,
          lease);
    }
    for (ToolLedger.Effect effect : effects) {
      expect(
          evidence.leases().stream().anyMatch(lease -> lease.covers(effect)),
          "an effect without a lease before it",
          call,
          effect);
    }
  }

  private void nothingIsLeft(Call call) {
    JsonNode now = call(call);
    if (call.strand().equals("waiting")) {
      expect(now.path("phase").asText().equals("HELD"), "it does not wait", call, now);
      expect(
          now.path("explain").toString().contains("waiting for: human"), "for nobody", call, now);
      return;
    }
    boolean acknowledged = now.at("/status/continuation_delivery").asText().equals("acknowledged");
    expect(acknowledged, "a call that is not at its end", call, now);
  }

  /** The lists follow the journal within a second. */
  private void nothingIsReadyOrUnknown() throws NodeGoneException {
    for (String state : new String[] {"ready", "unknown"}) {
      JsonNode items = Json.of();
      for (int i = 0; i < ROUNDS; i++) {
        items =
            client.get("operator", "/held?limit=500&state=" + state).is(200).body().path("items");
        if (items.isEmpty()) {
          break;
        }
      }
      if (!items.isEmpty()) {
        wrong.add("calls are left " + state + ": " + items);
      }
    }
  }

  /** The strands whose outcome became unknown though their tools did nothing odd. */
  private List<String> recovered() {
    List<String> all = new ArrayList<>();
    for (Call call : story.ledger().calls()) {
      boolean unknown = event(call, "outcome-became-unknown", "");
      if (unknown && !UNKNOWN_ANYWAY.contains(call.strand())) {
        all.add(call.strand() + " " + howItEnded(call));
      }
    }
    return all;
  }

  private String howItEnded(Call call) {
    String how = "left in doubt";
    for (JsonNode event : history(call)) {
      switch (event.path("type").asText()) {
        case "outcome-recorded" -> how = event.at("/data/source").asText();
        case "outcome-resolved" -> how = "resolved";
        case "lease-ended-without-effect" -> how = "without effect";
        default -> {}
      }
    }
    return how;
  }
}
