package dev.heldcall.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import java.text.ParseException;

/** Says whether a JSON Web Key in the configuration is one that signatures are verified with. */
final class JwkCheck {

  /** What attestations may be signed with. */
  static final String FOR_ATTESTATIONS =
      "a public JSON Web Key: Ed25519 (kty = OKP, crv = Ed25519, x) or P-256"
          + " (kty = EC, crv = P-256, x, y), and no private part";

  /** What JWTs may be signed with. */
  static final String FOR_TOKENS =
      "public JSON Web Keys with a kid each: Ed25519, P-256, or RSA of 2048 bits or more";

  private static final int MIN_RSA_BITS = 2048;

  private JwkCheck() {}

  static boolean signsAttestations(JsonNode jwk) {
    JWK key = parse(jwk);
    return key instanceof OctetKeyPair || key instanceof ECKey;
  }

  static boolean signsTokens(JsonNode jwk) {
    JWK key = parse(jwk);
    return key != null && key.getKeyID() != null;
  }

  private static @org.jspecify.annotations.Nullable JWK parse(JsonNode jwk) {
    try {
      JWK key = JWK.parse(jwk.toString());
      boolean fits =
          switch (key) {
            case OctetKeyPair it ->
                Curve.Ed25519.equals(it.getCurve()) && it.getDecodedX().length == 32;
            case ECKey it -> Curve.P_256.equals(it.getCurve());
            case RSAKey it -> it.size() >= MIN_RSA_BITS;
            default -> false;
          };
      return fits && !key.isPrivate() ? key : null;
    } catch (ParseException | IllegalStateException | IllegalArgumentException e) {
      return null;
    }
  }
}
