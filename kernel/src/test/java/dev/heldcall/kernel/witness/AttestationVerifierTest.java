package dev.heldcall.kernel.witness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.witness.Verification.Invalid;
import dev.heldcall.kernel.witness.Verification.Stale;
import dev.heldcall.kernel.witness.Verification.Valid;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.OnRefuted;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class AttestationVerifierTest {

  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final Digest CALL = new Digest("sha256:" + "a".repeat(64));
  private static final Digest CONTRACT = new Digest("sha256:" + "b".repeat(64));
  private static final Digest OTHER = new Digest("sha256:" + "c".repeat(64));
  private static final Principal AGENT = principal("agent-1", "acme", "default", null, "m-1");
  private static final Principal ALICE = principal("alice", "acme", "default", null, null);

  private static final SignatureVerdict VERIFIED =
      new SignatureVerdict.Verified(new SignatureKey("k-1", "thumb"));

  private Principal witness = ALICE;
  private Principal proposer = AGENT;
  private @Nullable PrincipalRef editor;
  private @Nullable Contract contract = Contract.of("human");
  private @Nullable Digest contractDigest = CONTRACT;
  private boolean open = true;

  private int generation = 2;
  private Digest callDigest = CALL;
  private Digest attestedContract = CONTRACT;
  private String witnessClass = "human";
  private Instant issuedAt = NOW.minusSeconds(1);
  private Instant expiresAt = NOW.plusSeconds(60);
  private @Nullable JsonNode signature;
  private SignatureVerdict verdict = new SignatureVerdict.Unsigned();
  private @Nullable JsonNode evidence;
  private AttestationDecision decision = AttestationDecision.APPROVE;
  private final JsonNode args =
      CanonicalJson.canonical(json("{'invoice': 'https://shop.example/invoices/77', 'n': 1}"));

  @Test
  void aBoundAttestationOfAnIndependentHolderIsValid() {
    assertThat(verify()).isEqualTo(new Valid());
  }

  @Nested
  class IsStale {

    @Test
    void whenTheCallTakesNoEvidence() {
      open = false;
      assertThat(verify()).isEqualTo(new Stale("the call is cancelled"));
    }

    @Test
    void forAnOlderOrNewerGeneration() {
      generation = 1;
      assertThat(verify()).isEqualTo(new Stale("it is for generation 1, and generation 2 stands"));
      generation = 3;
      assertThat(verify()).isInstanceOf(Stale.class);
    }

    @Test
    void forAnotherCallDigest() {
      callDigest = OTHER;
      assertThat(verify()).isInstanceOf(Stale.class);
    }

    @Test
    void forAnotherContractOrNone() {
      attestedContract = OTHER;
      assertThat(verify()).isInstanceOf(Stale.class);
      attestedContract = CONTRACT;
      contractDigest = null;
      contract = null;
      assertThat(verify()).isEqualTo(new Stale("the call as it stands has no contract"));
    }

    @Test
    void beforeItIsInvalid() {
      open = false;
      witness = AGENT;
      witnessClass = "chief";
      expiresAt = NOW.minusSeconds(60);
      assertThat(verify()).isInstanceOf(Stale.class);
    }
  }

  @Nested
  class IsInvalid {

    @Test
    void fromAnotherOrganization() {
      witness = principal("alice", "other", "default", null, null);
      assertInvalid("the witness is of another organization", "");
    }

    @Test
    void underAClassTheWitnessDoesNotHold() {
      witnessClass = "compliance";
      assertInvalid("the witness does not hold the class 'compliance'", "/witness_class");
    }

    @Test
    void onceExpired() {
      expiresAt = NOW;
      assertInvalid("expired already", "/expires_at");
      expiresAt = NOW.plusMillis(1);
      assertThat(verify()).isEqualTo(new Valid());
    }

    @Test
    void ifItExpiresNoLaterThanItWasIssued() {
      issuedAt = NOW.plusSeconds(60);
      assertInvalid("it expires no later than it was issued", "/expires_at");
    }

    @Test
    void ifIssuedInTheFuture() {
      expiresAt = NOW.plusSeconds(3_600);
      issuedAt = NOW.plusSeconds(300);
      assertThat(verify()).isEqualTo(new Valid());
      issuedAt = NOW.plusSeconds(300).plusMillis(1);
      assertInvalid("issued more than 5 minutes in the future", "/issued_at");
    }

    @Test
    void fromTheProposer() {
      witness = AGENT;
      assertInvalid("not independent: the witness proposed the call", "");
    }

    @Test
    void fromThePrincipalThatTheProposerActsFor() {
      proposer = principal("agent-1", "acme", "default", "alice", null);
      assertInvalid("not independent: the proposer is the witness's delegate", "");
    }

    @Test
    void fromTheProposersDelegate() {
      witness = principal("bot", "acme", "default", "agent-1", null);
      assertInvalid("not independent: the witness is the proposer's delegate", "");
    }

    @Test
    void fromTheEditorOfThisGeneration() {
      editor = ALICE.ref();
      assertInvalid("not independent: the witness edited this generation", "");
    }

    @Test
    void fromTheSameModelFamilyWhereTheContractSaysSo() {
      witness = principal("peer", "acme", "default", null, "m-1");
      assertThat(verify()).isEqualTo(new Valid());
      contract = contract(false, Independence.NOT_SAME_MODEL_FAMILY);
      assertInvalid("not independent: witness and proposer are of the model family 'm-1'", "");
    }

    @Test
    void fromAnotherDelegateOfWhomTheProposerActsFor() {
      proposer = principal("agent-1", "acme", "default", "boss", null);
      witness = principal("bot", "acme", "default", "boss", null);
      assertInvalid("not independent: witness and proposer are delegates of one principal", "");
    }

    @Test
    void fromTheEditorsDelegate() {
      editor = ALICE.ref();
      witness = principal("bot", "acme", "default", "alice", null);
      assertInvalid(
          "not independent: the witness is the delegate of who edited this generation", "");
    }

    @Test
    void fromAModelWhoseFamilyOrTheProposersIsNotRecordedWhereTheContractSaysSo() {
      contract = contract(false, Independence.NOT_SAME_MODEL_FAMILY);
      String unknown =
          "not independent: the contract asks for another model family, and none is recorded for"
              + " the witness";
      witness = of("bot", null, null, Set.of(Role.WITNESS, Role.AGENT), "human");
      assertInvalid(unknown, "");
      witness = of("peer", null, null, Set.of(Role.WITNESS), "peer-model");
      witnessClass = "peer-model";
      assertInvalid(unknown, "");
      witness = of("peer", null, "m-2", Set.of(Role.WITNESS), "peer-model");
      assertThat(verify()).isEqualTo(new Valid());
      proposer = principal("agent-1", "acme", "default", null, null);
      assertInvalid(
          "not independent: the contract asks for another model family than the proposer's, and"
              + " none is recorded for the proposer",
          "");
    }

    @Test
    void fromTheSameModelFamilyInAnotherSpelling() {
      contract = contract(false, Independence.NOT_SAME_MODEL_FAMILY);
      witness = principal("peer", "acme", "default", null, " M-1");
      assertThat(verify()).isInstanceOf(Invalid.class);
    }

    @Test
    void ifItsEvidenceIsAnEcho() {
      evidence = json("{'uri': 'https://shop.example/invoices/77'}");
      assertInvalid(
          "not independent: the evidence's uri is what the proposer itself supplied",
          "/evidence/uri");
    }

    @Test
    void unsignedWhereTheContractAsksForASignature() {
      contract = contract(true);
      assertInvalid("the contract asks for a signed attestation", "/signature");
    }

    @Test
    void withASignatureThatNothingVerified() {
      signature = TextNode.valueOf("x");
      assertInvalid("its signature was not verified", "/signature");
      contract = contract(true);
      assertInvalid("its signature was not verified", "/signature");
    }

    @Test
    void withASignatureThatFailedAlsoWhereNoneIsAskedFor() {
      signature = TextNode.valueOf("x");
      verdict = new SignatureVerdict.Failed("it is forged");
      assertInvalid("it is forged", "/signature");
      contract = contract(true);
      assertInvalid("it is forged", "/signature");
    }

    @Test
    void withoutTheSignatureThatIsSaidToBeVerified() {
      verdict = VERIFIED;
      assertInvalid("there is no signature that could have been verified", "/signature");
    }
  }

  @Nested
  class IsValid {

    @Test
    void signedWhetherTheContractAsksForItOrNot() {
      signature = TextNode.valueOf("x");
      verdict = VERIFIED;
      assertThat(verify()).isEqualTo(new Valid());
      contract = contract(true);
      assertThat(verify()).isEqualTo(new Valid());
    }

    @Test
    void fromAnotherProjectsPrincipalOfTheProposersName() {
      witness = principal("agent-1", "acme", "other", null, null);
      assertThat(verify()).isEqualTo(new Valid());
    }

    @Test
    void fromADelegateOfAnotherProjectsNamesake() {
      witness = principal("bot", "acme", "other", "agent-1", null);
      assertThat(verify()).isEqualTo(new Valid());
    }

    @Test
    void asADenyThatPointsAtTheProposersWords() {
      evidence = json("{'uri': 'https://shop.example/invoices/77'}");
      decision = AttestationDecision.DENY;
      assertThat(verify()).isEqualTo(new Valid());
    }

    @Test
    void withEvidenceOfItsOwn() {
      evidence = json("{'type': 'scan', 'digest': '" + OTHER.value() + "'}");
      assertThat(verify()).isEqualTo(new Valid());
    }

    @Test
    void fromAnotherThanTheEditor() {
      editor = new PrincipalRef("acme", "default", "bob");
      assertThat(verify()).isEqualTo(new Valid());
    }

    @Test
    void fromAnotherOrUnknownModelFamily() {
      contract = contract(false, Independence.NOT_SAME_MODEL_FAMILY);
      assertThat(verify()).isEqualTo(new Valid());
      witness = principal("peer", "acme", "default", null, "m-2");
      assertThat(verify()).isEqualTo(new Valid());
      proposer = principal("agent-1", "acme", "default", null, null);
      witness = ALICE;
      assertThat(verify()).isEqualTo(new Valid());
    }
  }

  private void assertInvalid(String reason, String pointer) {
    assertThat(verify()).isEqualTo(new Invalid(reason, pointer));
  }

  private Verification verify() {
    Attestation attestation =
        new Attestation(
            "a-1",
            generation,
            callDigest,
            attestedContract,
            witnessClass,
            decision,
            null,
            evidence,
            issuedAt,
            expiresAt,
            signature);
    CallBinding binding =
        new CallBinding(
            "hc_x",
            2,
            CALL,
            contractDigest,
            open,
            "the call is cancelled",
            proposer,
            editor,
            contract,
            new Supplied(args, List.of("ckpt://session-1/checkpoint-7")));
    return AttestationVerifier.verify(attestation, witness, verdict, binding, NOW);
  }

  private static Contract contract(boolean signed, Independence... independence) {
    return new Contract(
        "human", new TreeSet<>(), new TreeSet<>(Set.of(independence)), OnRefuted.DENY, 60, signed);
  }

  private static Principal principal(
      String id,
      String org,
      String project,
      @Nullable String onBehalfOf,
      @Nullable String modelFamily) {
    return new Principal(
        id,
        org,
        project,
        Set.of(Role.WITNESS),
        new TreeSet<>(Set.of("human")),
        new TreeSet<>(),
        onBehalfOf,
        modelFamily);
  }

  private static Principal of(
      String id,
      @Nullable String onBehalfOf,
      @Nullable String family,
      Set<Role> roles,
      String witnessClass) {
    return new Principal(
        id,
        "acme",
        "default",
        roles,
        new TreeSet<>(Set.of(witnessClass)),
        new TreeSet<>(),
        onBehalfOf,
        family);
  }

  private static JsonNode json(String text) {
    try {
      return new JsonMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }
}
