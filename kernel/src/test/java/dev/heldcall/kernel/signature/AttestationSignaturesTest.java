package dev.heldcall.kernel.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.config.AuthSettings;
import dev.heldcall.config.KeySettings;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.kernel.witness.SignatureKey;
import dev.heldcall.kernel.witness.SignatureVerdict;
import dev.heldcall.kernel.witness.SignatureVerdict.Failed;
import dev.heldcall.kernel.witness.SignatureVerdict.Verified;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Every way in which a signature may prove nothing, each with its own reason: one list, hence its
 * length.
 */
class AttestationSignaturesTest {

  private static final Instant NOW = Instant.parse("2026-05-04T10:00:00Z");
  private static final Digest CALL = new Digest("sha256:" + "a".repeat(64));
  private static final Digest CONTRACT = new Digest("sha256:" + "b".repeat(64));
  private static final PrincipalRef CI = new PrincipalRef("acme", "default", "ci");
  private static final PrincipalRef ALICE = new PrincipalRef("acme", "default", "alice");
  private static final Signer ED = Signer.ed25519("ed-1");
  private static final Signer EC = Signer.p256("ec-1");
  private static final String HELD = "hc_a";

  private final List<KeySettings> registered =
      new ArrayList<>(List.of(key(CI, ED), key(CI, EC), key(ALICE, Signer.ed25519("alice-1"))));

  private static KeySettings key(PrincipalRef owner, Signer signer) {
    return new KeySettings(owner, signer.keyId(), signer.jwk(), null, null, false);
  }

  private static Attestation attestation() {
    return new Attestation(
        "a-1",
        2,
        CALL,
        CONTRACT,
        "ci",
        AttestationDecision.APPROVE,
        "build 7 is green",
        JsonNodeFactory.instance.objectNode().put("uri", "https://ci.example/7").put("n", 1),
        NOW.minusMillis(1500),
        NOW.plusSeconds(600),
        null);
  }

  private static Attestation with(Attestation of, @Nullable JsonNode signature) {
    return new Attestation(
        of.attestationId(),
        of.generation(),
        of.callDigest(),
        of.contractDigest(),
        of.witnessClass(),
        of.decision(),
        of.reason(),
        of.evidence(),
        of.issuedAt(),
        of.expiresAt(),
        signature);
  }

  private WitnessKeys keys() {
    return new WitnessKeys(
        new AuthSettings(List.of(), registered, List.of(), List.of()),
        new KeySetClient(),
        InstantSource.fixed(NOW));
  }

  private SignatureVerdict verify(PrincipalRef witness, String heldId, Attestation given) {
    return new AttestationSignatures(keys())
        .verify(witness, heldId, given)
        .toCompletableFuture()
        .join();
  }

  private SignatureVerdict verify(@Nullable JsonNode signature) {
    return verify(CI, HELD, with(attestation(), signature));
  }

  private void assertFails(JsonNode signature, String reason) {
    assertThat(verify(signature)).isEqualTo(new Failed(reason));
  }

  private static ObjectNode statement() {
    ObjectNode statement = JsonNodeFactory.instance.objectNode();
    statement.put("_type", "https://in-toto.io/Statement/v1");
    ObjectNode subject = statement.putArray("subject").addObject();
    subject.put("name", HELD);
    subject.putObject("digest").put("sha256", "a".repeat(64));
    statement.put("predicateType", "https://heldcall.dev/attestation/v1");
    ObjectNode predicate = statement.putObject("predicate");
    predicate.put("held_id", HELD);
    predicate.put("generation", 2);
    predicate.put("contract_digest", CONTRACT.value());
    predicate.put("attestation_id", "a-1");
    predicate.put("witness_class", "ci");
    predicate.put("decision", "approve");
    predicate.put("reason", "build 7 is green");
    predicate.putObject("evidence").put("n", 1).put("uri", "https://ci.example/7");
    predicate.put("issued_at", "2026-05-04T09:59:58.500Z");
    predicate.put("expires_at", "2026-05-04T12:10:00+02:00");
    return statement;
  }

  /** The text that the guide tells a witness to sign, written out by hand. */
  private static byte[] body() {
    String text =
        "{'attestation_id':'a-1','call_digest':'sha256:"
            + "a".repeat(64)
            + "','contract_digest':'sha256:"
            + "b".repeat(64)
            + "','decision':'approve','evidence':{'n':1,'uri':'https://ci.example/7'},"
            + "'expires_at':'2026-05-04T10:10:00.000Z','generation':2,'held_id':'hc_a',"
            + "'issued_at':'2026-05-04T09:59:58.500Z','reason':'build 7 is green',"
            + "'witness_class':'ci'}";
    return text.replace('\'', '"').getBytes(UTF_8);
  }

  private static Verified by(Signer signer) {
    return new Verified(VerificationKey.of(signer.jwk(), signer.keyId()).id());
  }

  @Test
  void isNoneWhereThereIsNone() {
    assertThat(verify(null)).isEqualTo(new SignatureVerdict.Unsigned());
  }

  @Test
  void theTextToSignIsTheCanonicalBody() {
    assertThat(CanonicalJson.bytes(AttestationStatement.body(HELD, attestation())))
        .isEqualTo(body());
  }

  @Nested
  class Verifies {

    @Test
    void aDetachedJwsOfEitherAlgorithm() {
      assertThat(verify(ED.detached(ED.header(), body()))).isEqualTo(by(ED));
      assertThat(verify(EC.detached(EC.header(), body()))).isEqualTo(by(EC));
      assertThat(verify(ED.detached(ED.header().put("alg", "Ed25519"), body()))).isEqualTo(by(ED));
      ObjectNode typed = EC.header().put("typ", "heldcall-attestation+jws");
      assertThat(verify(EC.detached(typed, body()))).isEqualTo(by(EC));
    }

    @Test
    void anEnvelopeOfEitherAlgorithm() {
      assertThat(verify(ED.envelope(statement()))).isEqualTo(by(ED));
      assertThat(verify(EC.envelope(statement()))).isEqualTo(by(EC));
    }

    @Test
    void anEnvelopeWhoseEcdsaSignatureIsInDer() {
      byte[] payload = statement().toString().getBytes(UTF_8);
      byte[] der =
          EC.sign(
              DsseEnvelope.preAuthentication(AttestationStatement.PAYLOAD_TYPE, payload),
              "SHA256withECDSA");
      assertThat(verify(EC.envelope(AttestationStatement.PAYLOAD_TYPE, payload, der)))
          .isEqualTo(by(EC));
    }

    @Test
    void aStatementWithFieldsThatAreNotKnown() {
      ObjectNode more = statement().put("extension", true);
      ((ObjectNode) more.path("predicate")).put("build", 7);
      assertThat(verify(ED.envelope(more))).isEqualTo(by(ED));
    }
  }

  @Nested
  class IsRefusedByItsHeader {

    private void header(Consumer<ObjectNode> change, String reason) {
      ObjectNode header = ED.header();
      change.accept(header);
      assertFails(ED.detached(header, body()), reason);
    }

    @Test
    void algNone() {
      header(it -> it.put("alg", "none"), "the algorithm 'none' is no signature");
      header(it -> it.put("alg", "NoNe"), "the algorithm 'none' is no signature");
      assertFails(
          JsonNodeFactory.instance.objectNode().put("jws", "eyJhbGciOiJub25lIn0.."),
          "the algorithm 'none' is no signature");
    }

    @Test
    void aSharedSecret() {
      header(
          it -> it.put("alg", "HS256"),
          "the algorithm 'HS256' is of a shared secret, which proves nobody's identity");
    }

    @Test
    void otherAlgorithms() {
      for (String alg : List.of("RS256", "PS256", "ES384", "ES256K", "Ed448", "eddsa")) {
        header(it -> it.put("alg", alg), "the algorithm '" + alg + "' is none that is accepted");
      }
      header(it -> it.remove("alg"), "the JWS header has no 'alg'");
    }

    @Test
    void anAlgorithmThatTheKeyIsNotFor() {
      header(
          it -> it.put("alg", "ES256"),
          "the JWS header names an algorithm that the key 'ed-1' is not for: it is of the kind"
              + " Ed25519");
      assertFails(
          EC.detached(EC.header().put("alg", "EdDSA"), body()),
          "the JWS header names an algorithm that the key 'ec-1' is not for: it is of the kind"
              + " P-256");
    }

    @Test
    void aKeyOfItsOwn() {
      String only = ": only registered keys count";
      header(
          it -> it.putObject("jwk").put("kty", "OKP"),
          "the JWS header brings its own key ('jwk')" + only);
      header(
          it -> it.put("jku", "https://evil.example"),
          "the JWS header names where its own key is ('jku')" + only);
      header(
          it -> it.putArray("x5c").add("MII"),
          "the JWS header brings its own certificate ('x5c')" + only);
      header(
          it -> it.put("x5u", "https://evil.example"),
          "the JWS header names where its own certificate is ('x5u')" + only);
    }

    @Test
    void extensions() {
      header(
          it -> it.putArray("crit").add("exp"),
          "the JWS header asks for an extension ('crit'): none is understood");
      header(
          it -> it.put("b64", false),
          "the JWS header asks for an unencoded payload ('b64'): it is always encoded");
      header(
          it -> it.put("x-mode", 1), "the JWS header has a parameter that is not known: 'x-mode'");
      header(
          it -> it.put("typ", "heldcall-permit+jwt"),
          "the JWS is of another type ('typ') than 'heldcall-attestation+jws'");
    }

    @Test
    void keys() {
      header(it -> it.remove("kid"), "the JWS header names no key ('kid')");
      header(it -> it.put("kid", 7), "the JWS header's 'kid' is not a text");
      header(it -> it.put("kid", "ed-9"), "no key 'ed-9' is registered for 'ci'");
      header(it -> it.put("kid", "alice-1"), "no key 'alice-1' is registered for 'ci'");
    }

    @Test
    void aHeaderThatTwoReadersReadDifferently() {
      String doubled = "{\"alg\":\"none\",\"alg\":\"EdDSA\",\"kid\":\"ed-1\"}";
      String encoded =
          java.util.Base64.getUrlEncoder().withoutPadding().encodeToString(doubled.getBytes(UTF_8));
      assertFails(
          JsonNodeFactory.instance.objectNode().put("jws", encoded + "..AAAA"),
          "the JWS header is not one JSON object without duplicate keys");
    }
  }

  @Nested
  class IsRefusedByItsForm {

    @Test
    void neitherOfTheTwo() {
      String reason =
          "it is neither a DSSE envelope (payloadType, payload, signatures) nor a detached JWS"
              + " (jws)";
      assertFails(JsonNodeFactory.instance.objectNode(), reason);
      assertFails(JsonNodeFactory.instance.objectNode().put("sig", "x"), reason);
      ObjectNode both = ED.envelope(statement());
      both.setAll(ED.detached(ED.header(), body()));
      assertFails(both, reason);
    }

    @Test
    void aJwsThatIsNotDetached() {
      assertFails(
          JsonNodeFactory.instance.objectNode().put("jws", ED.jws(ED.header(), body())),
          "the JWS has a payload: it must be detached, so that it says nothing but the attestation");
    }

    @Test
    void aJwsThatIsNone() {
      ObjectNode signature = JsonNodeFactory.instance.objectNode();
      assertFails(
          signature.put("jws", "a.b"), "the JWS has not three parts with a dot between each two");
      assertFails(signature.put("jws", "%%.." + "AA"), "the JWS header is not base64");
      assertFails(
          signature.put("jws", "x".repeat(16_385)),
          "the JWS is not a text of at most 16384 characters");
    }

    @Test
    void anEnvelopeWithSeveralSignaturesOrNone() {
      ObjectNode several = ED.envelope(statement());
      ((ArrayNode) several.path("signatures"))
          .add(EC.envelope(statement()).path("signatures").get(0));
      assertFails(
          several, "the envelope has 2 signatures: exactly one is taken, the witness's own");
      ObjectNode none = ED.envelope(statement());
      none.putArray("signatures");
      assertFails(none, "the envelope has no signature");
    }

    @Test
    void anEnvelopeWithoutAKeyOrWithMore() {
      ObjectNode unnamed = ED.envelope(statement());
      ((ObjectNode) unnamed.path("signatures").get(0)).put("keyid", "");
      assertFails(unnamed, "the envelope names no key ('keyid')");
      ObjectNode cert = ED.envelope(statement());
      ((ObjectNode) cert.path("signatures").get(0)).put("cert", "MII");
      assertFails(cert, "the envelope's signature has a field that is not known: 'cert'");
    }

    @Test
    void anotherPayloadType() {
      assertFails(
          ED.envelope("application/json", statement().toString().getBytes(UTF_8)),
          "the envelope's payloadType is not 'application/vnd.in-toto+json'");
    }

    @Test
    void aStatementThatTwoReadersReadDifferently() {
      String doubled = statement().toString().replace("{\"_type\"", "{\"_type\":\"x\",\"_type\"");
      assertFails(
          ED.envelope(AttestationStatement.PAYLOAD_TYPE, doubled.getBytes(UTF_8)),
          "the envelope's payload is not one JSON object without duplicate keys");
    }
  }

  @Nested
  class BindsNothing {

    private static final String NOT_ONE = "the signature is not one of the key 'ed-1' over ";

    @Test
    void ifAnybodyElseMadeIt() {
      Signer thief = Signer.ed25519("ed-1");
      assertFails(thief.detached(thief.header(), body()), NOT_ONE + "this content");
      assertFails(thief.envelope(statement()), NOT_ONE + "this envelope");
    }

    @Test
    void forAnotherWitness() {
      Attestation given = with(attestation(), ED.detached(ED.header(), body()));
      assertThat(verify(ALICE, HELD, given))
          .isEqualTo(new Failed("no key 'ed-1' is registered for 'alice'"));
    }

    /** A detached signature is over every field: none can be changed without breaking it. */
    @Test
    void underAnotherCallGenerationContractOrAnyOtherField() {
      JsonNode signature = ED.detached(ED.header(), body());
      Failed failed = new Failed(NOT_ONE + "this content");
      assertThat(verify(CI, "hc_b", with(attestation(), signature))).isEqualTo(failed);
      for (UnaryOperator<Attestation> change : CHANGES) {
        assertThat(verify(CI, HELD, with(change.apply(attestation()), signature)))
            .isEqualTo(failed);
      }
    }

    @Test
    void ifTheStatementIsAboutAnother() {
      assertThat(verify(CI, "hc_b", with(attestation(), ED.envelope(statement()))))
          .isEqualTo(another("held_id"));
      List<SignatureVerdict> verdicts = new ArrayList<>();
      for (UnaryOperator<Attestation> change : CHANGES) {
        verdicts.add(verify(CI, HELD, with(change.apply(attestation()), ED.envelope(statement()))));
      }
      assertThat(verdicts)
          .containsExactly(
              another("attestation_id"),
              another("generation"),
              new Failed("the statement's subject digest is not '" + "c".repeat(64) + "'"),
              another("contract_digest"),
              another("witness_class"),
              another("decision"),
              another("reason"),
              new Failed("the statement's predicate has a reason, and the attestation has none"),
              another("evidence"),
              another("issued_at"),
              another("expires_at"));
    }

    private static Failed another(String field) {
      return new Failed(
          "the statement's predicate is about another " + field + " than the attestation's");
    }

    @Test
    void ifTheStatementLeavesSomethingOut() {
      for (String field :
          List.of(
              "held_id",
              "generation",
              "contract_digest",
              "attestation_id",
              "witness_class",
              "decision",
              "reason",
              "evidence",
              "issued_at",
              "expires_at")) {
        ObjectNode less = statement();
        ((ObjectNode) less.path("predicate")).remove(field);
        assertFails(ED.envelope(less), "the statement's predicate has no " + field);
      }
      ObjectNode noSubject = statement();
      noSubject.putArray("subject");
      assertFails(ED.envelope(noSubject), "the statement has not exactly one subject");
    }

    /** The in-toto project's own example of a test result: a good statement, of something else. */
    @Test
    void ifItIsAStatementOfAnotherKind() {
      ObjectNode other = JsonNodeFactory.instance.objectNode();
      other.put("_type", "https://in-toto.io/Statement/v1");
      other
          .putArray("subject")
          .addObject()
          .putObject("digest")
          .put("gitCommit", "d20ace7968ba43c0219f62d71334c1095bab1602");
      other.put("predicateType", "https://in-toto.io/attestation/test-result/v0.1");
      other.putObject("predicate").put("result", "PASSED");
      assertFails(
          ED.envelope(other),
          "the statement's predicateType is not 'https://heldcall.dev/attestation/v1'");
      other.put("_type", "https://in-toto.io/Statement/v0.1");
      assertFails(
          ED.envelope(other), "the statement's _type is not 'https://in-toto.io/Statement/v1'");
    }
  }

  private static final List<UnaryOperator<Attestation>> CHANGES =
      List.of(
          it -> changed(it, "a-2", 2, CALL, CONTRACT, "ci", it.reason()),
          it -> changed(it, "a-1", 3, CALL, CONTRACT, "ci", it.reason()),
          it -> changed(it, "a-1", 2, digest('c'), CONTRACT, "ci", it.reason()),
          it -> changed(it, "a-1", 2, CALL, digest('c'), "ci", it.reason()),
          it -> changed(it, "a-1", 2, CALL, CONTRACT, "human", it.reason()),
          it -> denied(it, AttestationDecision.DENY, it.evidence(), 0, 0),
          it -> changed(it, "a-1", 2, CALL, CONTRACT, "ci", "looks good"),
          it -> changed(it, "a-1", 2, CALL, CONTRACT, "ci", null),
          it -> denied(it, it.decision(), JsonNodeFactory.instance.objectNode(), 0, 0),
          it -> denied(it, it.decision(), it.evidence(), 1, 0),
          it -> denied(it, it.decision(), it.evidence(), 0, 1));

  private static Digest digest(char of) {
    return new Digest("sha256:" + String.valueOf(of).repeat(64));
  }

  private static Attestation changed(
      Attestation of,
      String id,
      int generation,
      Digest call,
      Digest contract,
      String witnessClass,
      @Nullable String reason) {
    return new Attestation(
        id,
        generation,
        call,
        contract,
        witnessClass,
        of.decision(),
        reason,
        of.evidence(),
        of.issuedAt(),
        of.expiresAt(),
        null);
  }

  private static Attestation denied(
      Attestation of,
      AttestationDecision decision,
      @Nullable JsonNode evidence,
      long later,
      long longer) {
    return new Attestation(
        of.attestationId(),
        of.generation(),
        of.callDigest(),
        of.contractDigest(),
        of.witnessClass(),
        decision,
        of.reason(),
        evidence,
        of.issuedAt().plusMillis(later),
        of.expiresAt().plusMillis(longer),
        null);
  }

  @Nested
  class Keys {

    private final Signer next = Signer.p256("ec-2");

    private void register(
        Signer signer, @Nullable Instant from, @Nullable Instant until, boolean revoked) {
      registered.add(new KeySettings(CI, signer.keyId(), signer.jwk(), from, until, revoked));
    }

    private SignatureVerdict byNext() {
      return verify(next.detached(next.header(), body()));
    }

    @Test
    void oldAndNewStandSideBySide() {
      register(next, NOW.minusSeconds(1), null, false);
      assertThat(byNext()).isEqualTo(by(next));
      assertThat(verify(EC.detached(EC.header(), body()))).isEqualTo(by(EC));
    }

    @Test
    void areTakenOnlyInTheirTime() {
      register(next, NOW, null, false);
      assertThat(byNext()).isEqualTo(by(next));
      registered.removeLast();
      register(next, NOW.plusSeconds(1), null, false);
      assertThat(byNext())
          .isEqualTo(new Failed("the key 'ec-2' is not in use before 2026-05-04T10:00:01Z"));
      registered.removeLast();
      register(next, null, NOW, false);
      assertThat(byNext())
          .isEqualTo(new Failed("the key 'ec-2' was in use until 2026-05-04T10:00:00Z"));
    }

    @Test
    void areNotTakenOnceRevoked() {
      register(next, null, null, true);
      assertThat(byNext()).isEqualTo(new Failed("the key 'ec-2' is revoked"));
    }

    @Test
    void standUntilTheyAreRevokedOrGoneOrReplacedUnderTheirName() {
      register(next, null, NOW, false);
      SignatureKey key = by(next).key();
      assertThat(keys().standings().of(CI, key)).isEqualTo(KeyStanding.STANDS);
      assertThat(keys().standings().of(ALICE, key)).isEqualTo(KeyStanding.REVOKED);
      assertThat(keys().standings().of(CI, new SignatureKey("ec-2", "other")))
          .isEqualTo(KeyStanding.REVOKED);
      registered.removeLast();
      assertThat(keys().standings().of(CI, key)).isEqualTo(KeyStanding.REVOKED);
      register(next, null, null, true);
      assertThat(keys().standings().of(CI, key)).isEqualTo(KeyStanding.REVOKED);
    }
  }
}
