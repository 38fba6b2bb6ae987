package dev.heldcall.witness;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderContract.OnNestedRefused;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/** Requests, contracts and answers for tests of witnesses that look at facts. */
public final class FactRequests {

  /** When tests take place. */
  public static final Instant NOW = Instant.parse("2026-12-01T12:00:00.123456Z");

  /** The digest of the call that is asked about. */
  public static final Digest CALL = digest("c");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private FactRequests() {}

  /** A request that shows all of its arguments. */
  public static WitnessRequest asking(String args) {
    return request(json(args), Disclosure.FULL, List.of());
  }

  /** A request that leaves places out. */
  public static WitnessRequest hiding(String args, String... leftOut) {
    return request(json(args), Disclosure.SUMMARY, List.of(leftOut));
  }

  /** A request that shows the digest only. */
  public static WitnessRequest digestOnly() {
    return request(null, Disclosure.DIGEST, List.of(""));
  }

  private static WitnessRequest request(
      @Nullable JsonNode args, Disclosure disclosure, List<String> leftOut) {
    return new WitnessRequest(
        "hc_test.1.facts",
        "hc_test",
        1,
        CALL,
        digest("d"),
        "facts",
        Boundary.TOOL,
        "money_transfer",
        digest("a"),
        args,
        disclosure,
        leftOut,
        new PrincipalRef("acme", "default", "agent-1"),
        "family-a",
        NOW.minusSeconds(60),
        NOW.plusSeconds(3600),
        null);
  }

  /** A contract whose time limit is ten seconds. */
  public static ProviderContract contract(String kind) {
    return contract(kind, Duration.ofSeconds(10));
  }

  /** A contract with a time limit. */
  public static ProviderContract contract(String kind, Duration timeout) {
    Principal identity =
        new Principal(
            "facts-bot",
            "acme",
            "default",
            Set.of(Role.WITNESS),
            new TreeSet<>(Set.of("facts")),
            new TreeSet<>(),
            null,
            "family-b");
    return new ProviderContract(
        "facts",
        kind,
        "facts",
        identity,
        0,
        timeout,
        null,
        true,
        OnNestedRefused.DENY,
        Disclosure.FULL,
        Duration.ofHours(1),
        262_144);
  }

  /** Services whose clock stands still. */
  public static ProviderServices services() {
    return new ProviderServices(() -> NOW, Executors.newVirtualThreadPerTaskExecutor());
  }

  /** Asks, and waits for the answer. */
  public static WitnessAnswer ask(WitnessProvider provider, WitnessRequest request) {
    return provider.ask(request).toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  /** The one attestation of an answer, which must be bound to the request. */
  public static Attestation attested(
      WitnessAnswer answer, WitnessRequest request, AttestationDecision decision) {
    Assertions.assertThat(answer).isInstanceOf(WitnessAnswer.Attested.class);
    Attestation attestation = ((WitnessAnswer.Attested) answer).attestations().getFirst();
    Assertions.assertThat(attestation.decision()).isEqualTo(decision);
    Assertions.assertThat(attestation.attestationId()).isEqualTo(request.requestId());
    Assertions.assertThat(attestation.callDigest()).isEqualTo(request.callDigest());
    Assertions.assertThat(attestation.contractDigest()).isEqualTo(request.contractDigest());
    Assertions.assertThat(attestation.generation()).isEqualTo(request.generation());
    Assertions.assertThat(attestation.witnessClass()).isEqualTo(request.witnessClass());
    Assertions.assertThat(attestation.expiresAt())
        .isEqualTo(attestation.issuedAt().plus(Duration.ofHours(1)));
    return attestation;
  }

  /** The evidence of an attestation, which must have some. */
  public static JsonNode evidence(Attestation attestation) {
    return Objects.requireNonNull(attestation.evidence(), "evidence");
  }

  /** The reason of an answer that could not tell. */
  public static String deferred(WitnessAnswer answer) {
    Assertions.assertThat(answer).isInstanceOf(WitnessAnswer.Deferred.class);
    return ((WitnessAnswer.Deferred) answer).reason();
  }

  /** The reason of an answer that was none. */
  public static String unavailable(WitnessAnswer answer, boolean again) {
    Assertions.assertThat(answer).isInstanceOf(WitnessAnswer.Unavailable.class);
    WitnessAnswer.Unavailable none = (WitnessAnswer.Unavailable) answer;
    Assertions.assertThat(none.again()).isEqualTo(again);
    return none.reason();
  }

  /** Reads JSON, single quotes for double ones. */
  public static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static Digest digest(String hex) {
    return new Digest("sha256:" + hex.repeat(64));
  }
}
