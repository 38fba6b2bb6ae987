package dev.heldcall.gateway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.cluster.Client.Said;
import dev.heldcall.gateway.cluster.Effects.Effect;
import dev.heldcall.gateway.cluster.History.Call;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Holds what the cluster says in the end against what it has answered, and against what the tools
 * did: acknowledged is there; one effect a generation at most, each after its evidence; one content
 * a delivery; nothing left to do.
 */
public final class HistoryCheck {

  private static final Set<String> ENDED = Set.of("DELIVERED", "TERMINAL_NO_EFFECT");
  private static final int READERS = 8;

  private final Client client;
  private final History history;
  private final Effects effects;

  public HistoryCheck(Client client, History history, Effects effects) {
    this.client = client;
    this.history = history;
    this.effects = effects;
  }

  /** Everything that is wrong. */
  public List<String> problems() throws Exception {
    List<String> all = new ArrayList<>(history.broken());
    try (ExecutorService readers = Executors.newFixedThreadPool(READERS)) {
      List<Future<List<String>>> checks = new ArrayList<>();
      for (Call call : history.calls()) {
        checks.add(readers.submit(() -> problems(call)));
      }
      for (Future<List<String>> each : checks) {
        all.addAll(each.get());
      }
    }
    return all;
  }

  private List<String> problems(Call call) {
    Checked checked = new Checked(call);
    Said now = client.get("acme-operator", "/held/" + call.heldId);
    Said events = client.get("acme-operator", "/held/" + call.heldId + "/history?limit=1000");
    if (!checked.that(now.status() == 200 && events.status() == 200, "is gone")) {
      return checked.problems;
    }
    List<JsonNode> items = new ArrayList<>();
    events.body().path("items").forEach(items::add);
    answers(checked, now.body(), items);
    end(checked, now.body());
    deliveries(checked);
    effects(checked, now.body(), items);
    return checked.problems;
  }

  private static void answers(Checked checked, JsonNode now, List<JsonNode> events) {
    Call call = checked.call;
    if (call.edited == null) {
      checked.that(now.path("call_digest").asText().equals(call.digest), "has another digest");
    } else {
      checked.that(now.path("args").equals(call.edited), "lost its edit");
    }
    Set<String> accepted = new HashSet<>();
    for (JsonNode event : events) {
      if (is(event, "attestation-accepted")) {
        accepted.add(event.at("/data/attestation/attestation_id").asText());
      }
    }
    checked.that(accepted.containsAll(call.attested), "lost an attestation");
    checked.that(
        !call.cancelled || now.at("/status/lifecycle").asText().equals("cancelled"),
        "lost its cancellation");
    checked.that(
        !call.reported || events.stream().anyMatch(each -> is(each, "outcome-recorded")),
        "lost its outcome");
    Set<String> ids = new HashSet<>();
    long last = 0;
    for (JsonNode event : events) {
      checked.that(ids.add(event.path("event_id").asText()), "has an event twice");
      checked.that(event.path("seq").asLong() > last, "has events out of order");
      last = event.path("seq").asLong();
    }
  }

  private static void end(Checked checked, JsonNode now) {
    checked.that(
        ENDED.contains(now.path("phase").asText()),
        "is left in " + now.path("phase") + ": " + now.path("explain"));
    checked.that(
        checked.call.acknowledged
            && now.at("/status/continuation_delivery").asText().equals("acknowledged"),
        "is not acknowledged");
  }

  private void deliveries(Checked checked) {
    Call call = checked.call;
    Said said = client.get("acme-agent", "/sessions/" + call.sessionId + "/deliveries");
    int count = 0;
    for (JsonNode item : said.body().path("items")) {
      if (item.path("held_id").asText().equals(call.heldId)) {
        count++;
        ObjectNode content = item.deepCopy();
        content.remove("acknowledged");
        call.delivered.add(content.toString());
      }
    }
    checked.that(count == 1, "is delivered " + count + " times");
    checked.that(call.delivered.size() == 1, "has several contents: " + call.delivered);
  }

  private void effects(Checked checked, JsonNode now, List<JsonNode> events) {
    int last = now.path("generation").asInt();
    int done = 0;
    for (int generation = 1; generation <= last; generation++) {
      List<Effect> own = effects.of(checked.call.heldId + "." + generation);
      done += own.size();
      checked.that(own.size() <= 1, own.size() + " effects of generation " + generation);
      for (Effect effect : own) {
        evidence(checked, effect, generation, events);
      }
    }
    boolean http = !checked.call.tool.equals("by_client");
    boolean succeeded = now.at("/result/outcome").asText().equals("succeeded");
    checked.that(!http || !succeeded || done == 1, "succeeded with " + done + " effects");
    checked.that(done == 0 || succeeded, "had its effect, and does not say so");
  }

  /** The effect's lease is on record, and before it the approvals that its rule asks for. */
  private static void evidence(
      Checked checked, Effect effect, int generation, List<JsonNode> events) {
    Map<String, Set<String>> approvals = new HashMap<>();
    boolean leased = false;
    String rule = effect.args().path("rule").asText();
    int needed = rule.equals("two") ? 2 : rule.equals("human") ? 1 : 0;
    for (JsonNode event : events) {
      JsonNode data = event.path("data");
      if (is(event, "attestation-accepted")) {
        approvals
            .computeIfAbsent(data.at("/attestation/generation").asText(), key -> new HashSet<>())
            .add(data.at("/witness/id").asText());
      } else if (is(event, "lease-granted")
          && data.at("/lease/idempotency_key").asText().equals(effect.key())) {
        leased = true;
        int given = approvals.getOrDefault(Integer.toString(generation), Set.of()).size();
        checked.that(given >= needed, "was leased with " + given + " approvals under " + rule);
      }
    }
    checked.that(leased, "had an effect without a lease on record");
  }

  private static boolean is(JsonNode event, String type) {
    return event.path("type").asText().equals(type);
  }

  /** One call, and what is wrong with it. */
  private static final class Checked {
    final Call call;
    final List<String> problems = new ArrayList<>();

    Checked(Call call) {
      this.call = call;
    }

    boolean that(boolean holds, String otherwise) {
      if (!holds) {
        problems.add(call.tool + " " + call.heldId + " " + otherwise);
      }
      return holds;
    }
  }
}
