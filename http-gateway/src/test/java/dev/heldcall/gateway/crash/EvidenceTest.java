package dev.heldcall.gateway.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The crash test's own reading of a history; one that overlooks something would prove nothing. */
class EvidenceTest {

  private static final Instant AT = Instant.parse("2030-01-01T00:00:00Z");

  private static String approval(String id, String by) {
    return """
        {"type":"attestation-accepted","at":"%s","data":{"attestation":
          {"attestation_id":"%s","decision":"approve"},"witness":{"id":"%s"}}}
        """
        .formatted(AT, id, by);
  }

  private static String event(String type, String data) {
    return "{\"type\":\"%s\",\"at\":\"%s\",\"data\":%s}".formatted(type, AT, data);
  }

  private static final String LEASE =
      event(
          "lease-granted",
          "{\"lease\":{\"token\":{\"generation\":1,\"attempt\":1},"
              + "\"idempotency_key\":\"hc_a.1\",\"call_digest\":\"sha256:1\"}}");

  private static int approvalsAtLease(String... events) {
    JsonNode history = Json.tree("[" + String.join(",", events) + "]");
    return Evidence.of(history).leases().getFirst().approvals();
  }

  @Test
  void whatComesAfterTheLeaseIsNoEvidenceForIt() {
    assertThat(approvalsAtLease(approval("a", "alice"), LEASE)).isEqualTo(1);
    assertThat(approvalsAtLease(LEASE, approval("a", "alice"))).isZero();
  }

  @Test
  void onePersonIsOneHoweverOften() {
    assertThat(approvalsAtLease(approval("a", "alice"), approval("b", "alice"), LEASE))
        .isEqualTo(1);
    assertThat(approvalsAtLease(approval("a", "alice"), approval("b", "bob"), LEASE)).isEqualTo(2);
  }

  @Test
  void whatWasTakenBackOrIsForAnOlderGenerationOrContractIsNone() {
    String given = approval("a", "alice");
    assertThat(
            approvalsAtLease(
                given, event("attestation-revoked", "{\"attestation_id\":\"a\"}"), LEASE))
        .isZero();
    assertThat(approvalsAtLease(given, event("call-edited", "{}"), LEASE)).isZero();
    assertThat(approvalsAtLease(given, event("call-ruled", "{\"evidence_stands\":false}"), LEASE))
        .isZero();
    assertThat(approvalsAtLease(given, event("call-ruled", "{\"evidence_stands\":true}"), LEASE))
        .isEqualTo(1);
  }

  @Test
  void anEffectIsCoveredByItsOwnLeaseAndNotBeforeIt() {
    Evidence.Granted lease = Evidence.of(Json.tree("[" + LEASE + "]")).leases().getFirst();
    assertThat(lease.covers(effect("hc_a.1", "1.1", "sha256:1", AT))).isTrue();
    assertThat(lease.covers(effect("hc_a.1", "1.1", "sha256:1", AT.minusMillis(1)))).isFalse();
    assertThat(lease.covers(effect("hc_a.1", "1.2", "sha256:1", AT))).isFalse();
    assertThat(lease.covers(effect("hc_a.2", "1.1", "sha256:1", AT))).isFalse();
    assertThat(lease.covers(effect("hc_a.1", "1.1", "sha256:2", AT))).isFalse();
  }

  private static ToolLedger.Effect effect(String key, String token, String digest, Instant at) {
    return new ToolLedger.Effect(key, "hc_a", token, digest, at, false);
  }
}
