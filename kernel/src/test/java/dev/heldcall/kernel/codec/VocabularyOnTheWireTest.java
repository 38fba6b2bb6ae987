package dev.heldcall.kernel.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.typesafe.config.ConfigFactory;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.lease.FencingToken;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.OnRefuted;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.VerdictKind;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.junit.jupiter.api.Test;

/**
 * Values of the vocabulary within messages between nodes. A node alone never serializes a message,
 * so nothing else notices that a value does not come back.
 */
class VocabularyOnTheWireTest {

  record Carried(
      Digest digest,
      List<Digest> digests,
      FencingToken token,
      Contract contract,
      Principal principal,
      PrincipalRef ref,
      Attestation attestation,
      VerdictKind verdict,
      Boundary boundary,
      ExecutorKind executor,
      JsonNode tree,
      Instant at)
      implements KernelMessage {}

  @Test
  void comesBackAsItWent() {
    ActorTestKit kit = ActorTestKit.create(KernelSerialization.under(ConfigFactory.empty()));
    try {
      kit.serializationTestKit().verifySerialization(carried(), true);
    } finally {
      kit.shutdownTestKit();
    }
  }

  private static Carried carried() {
    JsonNode tree = JsonNodeFactory.instance.objectNode().put("n", "x").put("b", true);
    Digest digest = Digests.ofCanonical(tree);
    Instant at = Instant.parse("2026-12-01T10:00:00.123Z");
    Principal principal =
        new Principal(
            "alice",
            "acme",
            "default",
            Set.of(Role.WITNESS, Role.POLICY_OWNER),
            new TreeSet<>(Set.of("human")),
            new TreeSet<>(Set.of("payments.write")),
            null,
            "family");
    Carried carried =
        new Carried(
            digest,
            List.of(digest),
            new FencingToken(2, 3),
            new Contract(
                "human",
                new TreeSet<>(Set.of("compliance")),
                new TreeSet<>(Set.of(Independence.DISTINCT_IDENTITIES)),
                OnRefuted.HOLD,
                600,
                false),
            principal,
            principal.ref(),
            new Attestation(
                "a-1",
                1,
                digest,
                digest,
                "human",
                AttestationDecision.APPROVE,
                null,
                tree,
                at,
                at.plusSeconds(60),
                null),
            VerdictKind.REQUIRE_WITNESS,
            Boundary.TOOL,
            ExecutorKind.HTTP,
            tree,
            at);
    assertThat(carried.contract().independence()).contains(Independence.NOT_PROPOSER);
    return carried;
  }
}
