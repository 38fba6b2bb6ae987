package dev.heldcall.gateway.crash;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.crash.Client.NodeGoneException;
import dev.heldcall.gateway.crash.Ledger.Call;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The strands of the story: calls of every kind, all at once. Each can be begun again from its
 * beginning, and then finds what it did before.
 */
final class Strands {

  /** What a strand does. */
  @FunctionalInterface
  interface Script {
    void play(Teller teller) throws NodeGoneException;
  }

  /** How many calls may wait for one another in a row. */
  private static final int LEVELS = 16;

  private Strands() {}

  /** The strands of the story with this number, by their names. */
  static Map<String, Script> of(int story) {
    Map<String, Script> all = new LinkedHashMap<>();
    all.put("policy", teller -> policyChange(teller, story));
    all.put("expired", Strands::expired);
    all.put("fallback", Strands::fallback);
    all.put("no-effect-first", teller -> alone(teller, "brief_look", "do", "drop-first"));
    all.put("allowed", teller -> alone(teller, "act"));
    all.put("held", Strands::held);
    all.put("claimed", Strands::claimed);
    all.put("two-witnesses", Strands::twoWitnesses);
    all.put("edited", Strands::edited);
    all.put("cancelled", Strands::cancelled);
    all.put("read-back", teller -> alone(teller, "look", "do", "cut"));
    all.put("idempotent", teller -> alone(teller, "again", "do", "cut-first"));
    all.put("unknown", teller -> alone(teller, "act", "do", "cut"));
    all.put("client-lease", Strands::clientLease);
    all.put("dependent", Strands::dependent);
    all.put("nested", Strands::nested);
    all.put("quarantined", teller -> alone(teller, "strict"));
    all.put("gate", Strands::gate);
    all.put("denied", Strands::denied);
    all.put("refused", Strands::refused);
    all.put("revoked", Strands::revoked);
    all.put("waiting", Strands::waiting);
    all.put("tangled", Strands::tangled);
    all.put("asked", Strands::asked);
    all.put("asked-in-vain", Strands::askedInVain);
    all.put("malformed", teller -> new InVain(teller).malformed());
    return all;
  }

  /**
   * What takes long and brings few points.
   *
   * @param journal can be made not to answer; null for a story without all of this
   */
  static Map<String, Script> extras(@Nullable Journal journal) {
    Map<String, Script> all = new LinkedHashMap<>();
    if (journal != null) {
      all.put("deep", Strands::deep);
      if (journal.possible()) {
        all.put("stalled", teller -> stalled(teller, journal));
      }
    }
    return all;
  }

  private static void alone(Teller teller, String tool, Object... args) throws NodeGoneException {
    Call call = teller.propose(teller.proposal("c-1", tool, args), 0);
    var _ = teller.finish(call);
  }

  private static Call human(Teller teller, String callId, Object... args) throws NodeGoneException {
    ObjectNode proposal = teller.proposal(callId, "look", args);
    ((ObjectNode) proposal.path("args")).put("rule", "human");
    return teller.propose(proposal, 1);
  }

  private static void held(Teller teller) throws NodeGoneException {
    Call call = human(teller, "c-1");
    var _ = teller.gather(call, "alice");
    var _ = teller.finish(call);
  }

  /**
   * Taken from the queue, and given back; a claim that a crash leaves behind is in nobody's way.
   */
  private static void claimed(Teller teller) throws NodeGoneException {
    Call call = human(teller, "c-1");
    teller.claimAndRelease("alice");
    var _ = teller.gather(call, "alice");
    var _ = teller.finish(call);
  }

  private static void twoWitnesses(Teller teller) throws NodeGoneException {
    Call call = teller.propose(teller.proposal("c-1", "look", "rule", "two"), 2);
    var _ = teller.attest(call, "alice", "approve", teller.read(call));
    teller.keepHistory(call);
    var _ = teller.gather(call, "alice", "bob");
    var _ = teller.finish(call);
  }

  private static void edited(Teller teller) throws NodeGoneException {
    ObjectNode proposal = teller.proposal("c-1", "look", "rule", "two", "n", 1);
    Call call = teller.propose(proposal, 2);
    if (teller.read(call).path("generation").asInt() == 1) {
      var _ = teller.attest(call, "alice", "approve", teller.read(call));
    }
    teller.edit(call, Json.of("rule", "two", "n", 2));
    teller.keepHistory(call);
    var _ = teller.gather(call, "alice", "bob");
    var _ = teller.finish(call);
  }

  private static void cancelled(Teller teller) throws NodeGoneException {
    Call call = teller.propose(teller.proposal("c-1", "act", "rule", "human"), -1);
    teller.cancel(call);
    var _ = teller.finish(call);
  }

  private static void clientLease(Teller teller) throws NodeGoneException {
    Call call = teller.propose(teller.proposal("c-1", "by_client", "rule", "human"), 1);
    var _ = teller.gather(call, "alice");
    teller.runAtClient(call);
    var _ = teller.finish(call);
  }

  private static void dependent(Teller teller) throws NodeGoneException {
    Call first = human(teller, "c-1");
    ObjectNode second = teller.proposal("c-2", "again");
    second.putArray("depends_on").add(first.heldId());
    Call dependent = teller.propose(second, 0);
    var _ = teller.gather(first, "alice");
    var _ = teller.finish(first);
    var _ = teller.finish(dependent);
  }

  private static void nested(Teller teller) throws NodeGoneException {
    Call parent = human(teller, "c-1");
    ObjectNode proposal = teller.proposal("c-2", "again").put("parent_held_id", parent.heldId());
    Call child = teller.propose(proposal, 0);
    var _ = teller.gather(parent, "alice");
    var _ = teller.finish(child);
    var _ = teller.finish(parent);
  }

  private static void gate(Teller teller) throws NodeGoneException {
    ObjectNode plan = teller.proposal("c-1", "gate", "steps", 3).put("boundary", "plan");
    var _ = teller.finish(teller.propose(plan, 0));
  }

  private static void denied(Teller teller) throws NodeGoneException {
    var _ = teller.finish(teller.propose(teller.proposal("c-1", "act", "rule", "deny"), -1));
    Call byPerson = teller.propose(teller.proposal("c-2", "act", "rule", "human"), -1);
    var _ = teller.attest(byPerson, "alice", "deny", teller.read(byPerson));
    var _ = teller.finish(byPerson);
  }

  private static void refused(Teller teller) throws NodeGoneException {
    Call call = human(teller, "c-1");
    JsonNode shown = teller.read(call);
    new InVain(teller).attestToNothing(call, shown);
    var _ = teller.gather(call, "bob");
    var _ = teller.finish(call);
  }

  private static void revoked(Teller teller) throws NodeGoneException {
    Call call = teller.propose(teller.proposal("c-1", "by_client", "rule", "human"), -1);
    JsonNode shown = teller.read(call);
    if (shown.at("/status/lifecycle").asText().equals("open")) {
      var _ = teller.attest(call, "alice", "approve", shown);
      String id = shown.at("/contract/digest").asText().replaceAll("^sha256:(.{8}).*", "$1");
      teller.revoke(call, "alice", "approve-alice-1-" + id);
    }
    teller.cancel(call);
    var _ = teller.finish(call);
  }

  private static void expired(Teller teller) throws NodeGoneException {
    ObjectNode proposal = teller.proposal("c-1", "act", "rule", "human");
    proposal.set("preferences", Json.of("timeout_s", 1));
    var _ = teller.finish(teller.propose(proposal, -1));
  }

  private static void fallback(Teller teller) throws NodeGoneException {
    Call call = teller.propose(teller.proposal("c-1", "look", "rule", "fallback"), 1);
    var _ = teller.attest(call, "alice", "approve", teller.read(call));
    teller.awaitDelivery();
    var _ = teller.finish(call);
  }

  /** The node asks by itself: whom it reaches, whom it does not, and one with a call of its own. */
  private static void asked(Teller teller) throws NodeGoneException {
    ObjectNode proposal = teller.proposal("c-1", "look");
    proposal.putObject("preferences").put("require", "robot & lost & nester");
    Call call = teller.propose(proposal, 3);
    teller.awaitDelivery();
    var _ = teller.finish(call);
  }

  /** Somebody is asked who does not answer, reminded, and told that it is over. */
  private static void askedInVain(Teller teller) throws NodeGoneException {
    ObjectNode proposal = teller.proposal("c-1", "look");
    proposal.putObject("preferences").put("require", "human").put("timeout_s", 600);
    Call call = teller.propose(proposal, 1);
    var _ = teller.until(call, now -> isOut(now) || Teller.isDecided(now));
    teller.poke("desk", call.heldId() + ".1.desk");
    var _ = teller.until(call, now -> isRemindable(now) || Teller.isDecided(now));
    var _ = teller.gather(call, "alice");
    var _ = teller.finish(call);
  }

  private static boolean isOut(JsonNode call) {
    return call.path("routes").findValuesAsText("state").contains("requested");
  }

  private static boolean isRemindable(JsonNode call) {
    Instant created = Instant.parse(call.path("created_at").asText());
    return Instant.now().isAfter(created.plusSeconds(3));
  }

  /** A call that would wait for itself by way of another one. */
  private static void tangled(Teller teller) throws NodeGoneException {
    Call parent = human(teller, "c-1");
    ObjectNode knot = teller.proposal("c-2", "again").put("parent_held_id", parent.heldId());
    knot.putArray("depends_on").add(parent.heldId());
    new InVain(teller).propose(knot, "dependency-cycle");
    var _ = teller.gather(parent, "alice");
    var _ = teller.finish(parent);
  }

  /** A chain of calls one longer than may be; its first link is cancelled, and with it the rest. */
  private static void deep(Teller teller) throws NodeGoneException {
    List<Call> chain = new ArrayList<>();
    chain.add(teller.propose(teller.proposal("c-0", "act", "rule", "human"), -1));
    for (int i = 1; i < LEVELS; i++) {
      ObjectNode next = teller.proposal("c-" + i, "act");
      next.putArray("depends_on").add(chain.getLast().heldId());
      chain.add(teller.propose(next, -1));
    }
    ObjectNode over = teller.proposal("c-over", "act");
    over.putArray("depends_on").add(chain.getLast().heldId());
    new InVain(teller).propose(over, "dependency-depth");
    teller.cancel(chain.getFirst());
    for (Call each : chain) {
      var _ = teller.finish(each);
    }
  }

  /** The database does not answer, and so nothing is done; later it is. */
  private static void stalled(Teller teller, Journal journal) throws NodeGoneException {
    Call call = human(teller, "c-1");
    journal.during(
        () -> {
          new InVain(teller).edit(call);
          new InVain(teller).readPolicy();
        });
    var _ = teller.gather(call, "alice");
    var _ = teller.finish(call);
  }

  /** Nobody decides on this one: it waits for a person, and says so. */
  private static void waiting(Teller teller) throws NodeGoneException {
    Call call = teller.propose(teller.proposal("c-1", "act", "rule", "human"), -1);
    teller.keepHistory(call);
  }

  /** A call is half approved as its contract changes; what was given is stale, and given again. */
  private static void policyChange(Teller teller, int story) throws NodeGoneException {
    Call ruled = teller.propose(teller.proposal("c-1", "ruled", "rule", "two"), 2);
    var _ = teller.attest(ruled, "alice", "approve", teller.read(ruled));
    String document =
        """
        {"rules":[{"id":"story-%d","tools":["ruled"],"verdict":"REQUIRE_WITNESS",
          "contract":{"rule":"human","expires":"%dm"}}]}
        """
            .formatted(story, 60 + story);
    Call change = teller.proposePolicy("change", Json.tree(document));
    Call tooLate = teller.proposePolicy("too-late", Json.tree("{\"rules\":[]}"));
    var _ = teller.gather(change, "alice");
    var _ = teller.finish(change);
    var _ = teller.epoch(change);
    var _ = teller.gather(tooLate, "alice");
    var _ = teller.finish(tooLate);
    var _ = teller.epoch(change);
    var _ = teller.gather(ruled, "alice", "bob");
    teller.runAtClient(ruled);
    var _ = teller.finish(ruled);
  }
}
