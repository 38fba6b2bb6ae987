package dev.heldcall.kernel.execute;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.ExecutorKind;
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.EdECPoint;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.EdECPublicKeySpec;
import java.security.spec.NamedParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PermitSignerTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Generation GENERATION =
      Orders.generation("money_transfer", Orders.transfer());
  private static final Lease LEASE =
      Orders.lease(
          GENERATION,
          ExecutorKind.HTTP,
          Instant.parse("2026-03-01T10:00:00.123456Z"),
          Duration.ofSeconds(5));

  @Test
  void signsWhatTheLeaseIsBoundTo() throws Exception {
    PermitSigner.PermitKey key = PermitSigner.newKey();
    PermitSigner signer = PermitSigner.of(List.of(key.jwk()));

    String[] parts = signer.permit(LEASE, GENERATION).split("\\.", -1);

    assertThat(parts).hasSize(3);
    assertThat(decoded(parts[0]))
        .isEqualTo(
            JSON.createObjectNode()
                .put("alg", "EdDSA")
                .put("kid", key.id())
                .put("typ", "heldcall-permit+jwt"));
    ObjectNode expected =
        JSON.createObjectNode()
            .put("iss", "heldcall")
            .put("held_id", Orders.HELD_ID)
            .put("generation", 1)
            .put("tool", "money_transfer")
            .put("call_digest", GENERATION.callDigest().value())
            .put("args_digest", GENERATION.argsDigest().value())
            .put("fencing_token", "1.1")
            .put("idempotency_key", Orders.HELD_ID + ".1")
            .put("lease_id", "ls-1")
            .put("deadline", "2026-03-01T10:00:05.123Z");
    expected.put("iat", (int) Instant.parse("2026-03-01T10:00:00Z").getEpochSecond());
    expected.put("exp", (int) Instant.parse("2026-03-01T10:00:06Z").getEpochSecond());
    assertThat(decoded(parts[1])).isEqualTo(expected);
    assertThat(verified(signer.publicKeys().at("/keys/0"), parts)).isTrue();
  }

  @Test
  void signsTheSameLeaseTheSameWayOnEveryNode() {
    String jwk = PermitSigner.newKey().jwk();
    String permit = PermitSigner.of(List.of(jwk)).permit(LEASE, GENERATION);
    assertThat(PermitSigner.of(List.of(jwk)).permit(LEASE, GENERATION)).isEqualTo(permit);
  }

  @Test
  void publishesEveryKeyAndNoPrivatePart() throws Exception {
    PermitSigner.PermitKey current = PermitSigner.newKey();
    PermitSigner.PermitKey old = PermitSigner.newKey();
    JsonNode published = PermitSigner.of(List.of(current.jwk(), old.jwk())).publicKeys();

    assertThat(published.path("keys")).hasSize(2);
    assertThat(published.at("/keys/0/kid").textValue()).isEqualTo(current.id());
    assertThat(published.at("/keys/0/kty").textValue()).isEqualTo("OKP");
    assertThat(published.at("/keys/0/crv").textValue()).isEqualTo("Ed25519");
    assertThat(published.at("/keys/0/alg").textValue()).isEqualTo("EdDSA");
    assertThat(published.at("/keys/0/use").textValue()).isEqualTo("sig");
    assertThat(published.at("/keys/1/kid").textValue()).isEqualTo(old.id());
    published.path("keys").forEach(each -> assertThat(each.has("d")).isFalse());

    String[] before =
        PermitSigner.of(List.of(old.jwk())).permit(LEASE, GENERATION).split("\\.", -1);
    assertThat(verified(published.at("/keys/1"), before)).isTrue();
    assertThat(verified(published.at("/keys/0"), before)).isFalse();
  }

  @Test
  void refusesADamagedKeyWithoutShowingIt() throws Exception {
    ObjectNode one = (ObjectNode) JSON.readTree(PermitSigner.newKey().jwk());
    ObjectNode other = (ObjectNode) JSON.readTree(PermitSigner.newKey().jwk());
    String secret = one.path("d").textValue();
    ObjectNode mixed = one.deepCopy();
    mixed.put("x", other.path("x").textValue());
    ObjectNode short1 = one.deepCopy();
    short1.put("x", "AAAA");
    ObjectNode open = one.deepCopy();
    open.remove("d");
    ObjectNode cut = one.deepCopy();
    cut.put("d", secret.substring(0, 20));

    for (String damaged : damaged(mixed, short1, open, cut)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> PermitSigner.of(List.of(damaged)))
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain(secret));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> PermitSigner.of(List.of()));
  }

  /** The key of RFC 8037, appendix A, and a permit as the platform's own signature made it. */
  @Test
  void signsWithAKeptKeyWhatItAlwaysSigned() {
    String kept =
        "{\"kty\":\"OKP\",\"d\":\"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A\",\"use\":\"sig\","
            + "\"crv\":\"Ed25519\",\"kid\":\"kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k\","
            + "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\",\"alg\":\"EdDSA\"}";
    assertThat(PermitSigner.of(List.of(kept)).permit(LEASE, GENERATION))
        .startsWith("eyJhbGciOiJFZERTQSIsImtpZCI6ImtQcktfcW14VldhWVZBOXd3QkY2SXVvM3ZWeno3")
        .endsWith(
            ".DKXCpW2hzML6TN2RxuZgF-pzDrBT2z1qNUH-YVfi3EL9R229r7sOeOuLk8jtfaiOQIDyUM7DLfW3Mv381HkUBQ");
  }

  @RepeatedTest(20)
  void signsAsThePlatformDoes() throws Exception {
    String jwk = PermitSigner.newKey().jwk();
    String[] parts = PermitSigner.of(List.of(jwk)).permit(LEASE, GENERATION).split("\\.", -1);

    byte[] d = Base64.getUrlDecoder().decode(JSON.readTree(jwk).path("d").textValue());
    Signature platform = Signature.getInstance("Ed25519");
    platform.initSign(
        KeyFactory.getInstance("Ed25519")
            .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, d)));
    platform.update((parts[0] + "." + parts[1]).getBytes(US_ASCII));
    assertThat(Base64.getUrlDecoder().decode(parts[2])).isEqualTo(platform.sign());
  }

  @ParameterizedTest
  @ValueSource(strings = {"money_transfer", "a \"quoted\\\" one", "ü\u0001\n", "\u007f€😀"})
  void writesClaimsInTheirCanonicalForm(String tool) throws Exception {
    Generation generation = Orders.generation(tool, Orders.transfer());
    String claims = PermitSigner.claims(LEASE, generation);
    assertThat(CanonicalJson.text(JSON.readTree(claims))).isEqualTo(claims);
    assertThat(JSON.readTree(claims).path("tool").textValue()).isEqualTo(tool);
  }

  @Test
  void aKeyIsNotPrinted() {
    PermitSigner.PermitKey key = PermitSigner.newKey();
    assertThat(key.toString()).isEqualTo("PermitKey[" + key.id() + "]");
  }

  private static List<String> damaged(ObjectNode... keys) {
    return Stream.concat(Stream.of(keys).map(ObjectNode::toString), Stream.of("{}", "")).toList();
  }

  private static JsonNode decoded(String part) throws Exception {
    return JSON.readTree(new String(Base64.getUrlDecoder().decode(part), UTF_8));
  }

  /** As a tool would, with nothing of the signer's own code. */
  private static boolean verified(JsonNode jwk, String[] parts) throws Exception {
    byte[] x = Base64.getUrlDecoder().decode(jwk.path("x").textValue());
    byte[] y = new byte[x.length];
    for (int i = 0; i < x.length; i++) {
      y[i] = x[x.length - 1 - i];
    }
    boolean odd = (y[0] & 0x80) != 0;
    y[0] &= 0x7f;
    PublicKey key =
        KeyFactory.getInstance("Ed25519")
            .generatePublic(
                new EdECPublicKeySpec(
                    NamedParameterSpec.ED25519, new EdECPoint(odd, new BigInteger(1, y))));
    Signature verifier = Signature.getInstance("Ed25519");
    verifier.initVerify(key);
    verifier.update((parts[0] + "." + parts[1]).getBytes(US_ASCII));
    return verifier.verify(Base64.getUrlDecoder().decode(parts[2]));
  }
}
