package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.EvidenceView;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.Resolution;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** The facts as words: one dimension each, and one each for every lease and attestation. */
final class Dimension {

  private Dimension() {}

  static Map<String, String> read(HeldCallFacts facts, Instant now) {
    Map<String, String> into = new HashMap<>(64);
    into.put("proposed", facts.proposed() ? "yes" : "none");
    into.put("lifecycle", facts.lifecycle().wireName());
    into.put("execution", facts.execution().wireName());
    into.put("admission", facts.admission().wireName());
    into.put("delivery", facts.delivery().wireName());
    into.put("cancel-wish", facts.cancelWish() == null ? "none" : "there");
    into.put("late-effect", facts.lateEffect() ? "reported" : "none");
    into.put("superseded", facts.superseded() ? "yes" : "no");
    into.put("hold", facts.holdStarted() == null ? "none" : "begun");
    into.put("fallback", facts.openFallbacks().isEmpty() ? "closed" : "open");
    into.put(
        "outcome",
        facts.outcome() == null ? "none" : facts.outcome().succeeded() ? "succeeded" : "failed");
    into.put("verdict", facts.ruling() == null ? "none" : facts.ruling().verdict().name());
    Resolution resolution = facts.resolution();
    into.put(
        "resolution", resolution == null ? "none" : resolution.effect() ? "effect" : "no-effect");
    if (facts.proposed()) {
      into.put("generation", facts.requireGeneration().number() == 1 ? "first" : "edited");
      into.put("readiness", EvidenceView.readiness(facts, now).wireName());
    }
    for (LeaseRecord each : facts.leases()) {
      into.put("lease:" + each.lease().leaseId(), each.state().wireName());
    }
    facts.evidence().forEach((id, each) -> into.put("evidence:" + id, each.state().wireName()));
    facts.dependencies().forEach((id, each) -> into.put("dependency:" + id, each.wireName()));
    facts
        .upstream()
        .forEach((id, each) -> into.put("upstream:" + id, content(each.callDigest().value())));
    facts
        .children()
        .keySet()
        .forEach(
            id ->
                into.put(
                    "child:" + id,
                    facts.settledChildren().contains(id) ? "settled" : "waited-for"));
    return into;
  }

  /** Digests in the exploration are one digit throughout. */
  private static String content(String digest) {
    return digest.endsWith("1") ? "first" : "second";
  }

  /** The dimension without the lease or attestation that it is of. */
  static String kind(String key) {
    int colon = key.indexOf(':');
    return colon < 0 ? key : key.substring(0, colon);
  }
}
