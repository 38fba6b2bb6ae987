package dev.heldcall.kernel.signature;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import org.junit.jupiter.api.Test;

class VerificationKeyTest {

  private static void refused(String jwk, String reason) {
    assertThatThrownBy(() -> VerificationKey.of(jwk, "k"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(reason);
  }

  private static String publicPart(JWK key) {
    return key.toPublicJWK().toJSONString();
  }

  @Test
  void isOfNoOtherKind() throws JOSEException {
    refused("{}", "it is no JSON Web Key");
    refused("nonsense", "it is no JSON Web Key");
    refused(publicPart(new ECKeyGenerator(Curve.P_384).generate()), "its curve is not P-256");
    refused(publicPart(new RSAKeyGenerator(1024, true).generate()), "it has less than 2048 bits");
    refused(
        "{\"kty\":\"OKP\",\"crv\":\"X25519\","
            + "\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}",
        "its curve is not Ed25519");
  }

  @Test
  void hasNoPrivatePart() throws JOSEException {
    refused(new ECKeyGenerator(Curve.P_256).generate().toJSONString(), "it has a private part");
    refused(new OctetSequenceKeyGenerator(256).generate().toJSONString(), "it has a private part");
  }

  @Test
  void isMeantForVerifyingWithItsOwnAlgorithm() {
    String ed = Signer.ed25519("k").jwk();
    refused(ed.replace("{", "{\"use\":\"enc\","), "it is not meant for signatures");
    refused(ed.replace("{", "{\"key_ops\":[\"encrypt\"],"), "it is not meant for verifying");
    refused(ed.replace("{", "{\"alg\":\"ES256\","), "it is meant for the algorithm 'ES256'");
  }
}
