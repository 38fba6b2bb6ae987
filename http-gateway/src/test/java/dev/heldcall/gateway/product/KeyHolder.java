package dev.heldcall.gateway.product;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import dev.heldcall.kernel.digest.CanonicalJson;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.Arrays;
import java.util.Base64;

/**
 * Somebody with a key pair, who signs tokens and attestations.
 *
 * @param jwk the public part
 * @param alg its algorithm's name in a JWS
 * @param algorithm the platform's name of it
 */
record KeyHolder(JWK jwk, PrivateKey key, String alg, String algorithm) {

  private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

  static KeyHolder es256(String keyId) {
    try {
      ECKey pair = new ECKeyGenerator(Curve.P_256).keyID(keyId).generate();
      return new KeyHolder(
          pair.toPublicJWK(), pair.toPrivateKey(), "ES256", "SHA256withECDSAinP1363Format");
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  static KeyHolder rs256(String keyId) {
    try {
      RSAKey pair = new RSAKeyGenerator(2048).keyID(keyId).generate();
      return new KeyHolder(pair.toPublicJWK(), pair.toPrivateKey(), "RS256", "SHA256withRSA");
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  static KeyHolder ed25519(String keyId) {
    try {
      KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      byte[] encoded = pair.getPublic().getEncoded();
      byte[] x = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
      JWK jwk = new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(x)).keyID(keyId).build();
      return new KeyHolder(jwk, pair.getPrivate(), "EdDSA", "Ed25519");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  String keyId() {
    return jwk.getKeyID();
  }

  private byte[] sign(byte[] content) {
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(content);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  ObjectNode header() {
    return Json.of("alg", alg, "kid", keyId());
  }

  /** A JWT. */
  String token(ObjectNode claims) {
    return jws(header(), claims.toString().getBytes(UTF_8));
  }

  String jws(ObjectNode header, byte[] payload) {
    String signed =
        URL.encodeToString(header.toString().getBytes(UTF_8)) + "." + URL.encodeToString(payload);
    return signed + "." + URL.encodeToString(sign(signed.getBytes(UTF_8)));
  }

  /** The attestation with a detached JWS, as the guide tells to make it. */
  ObjectNode signed(String heldId, ObjectNode attestation) {
    ObjectNode body = attestation.deepCopy().put("held_id", heldId);
    body.remove("signature");
    String[] parts = jws(header(), CanonicalJson.bytes(body)).split("\\.", -1);
    ObjectNode signed = attestation.deepCopy();
    signed.set("signature", Json.of("jws", parts[0] + ".." + parts[2]));
    return signed;
  }

  /** The attestation with a DSSE envelope around an in-toto statement. */
  ObjectNode stated(String heldId, ObjectNode attestation) {
    ObjectNode predicate = attestation.deepCopy().put("held_id", heldId);
    predicate.remove("signature");
    predicate.remove("call_digest");
    ObjectNode statement =
        Json.of(
            "_type", "https://in-toto.io/Statement/v1",
            "predicateType", "https://heldcall.dev/attestation/v1",
            "predicate", predicate);
    statement
        .putArray("subject")
        .addObject()
        .putObject("digest")
        .put("sha256", attestation.path("call_digest").asText().substring("sha256:".length()));
    byte[] payload = statement.toString().getBytes(UTF_8);
    String type = "application/vnd.in-toto+json";
    byte[] head =
        ("DSSEv1 " + type.length() + " " + type + " " + payload.length + " ").getBytes(UTF_8);
    byte[] encoded = Arrays.copyOf(head, head.length + payload.length);
    System.arraycopy(payload, 0, encoded, head.length, payload.length);
    ObjectNode envelope =
        Json.of("payloadType", type, "payload", Base64.getEncoder().encodeToString(payload));
    envelope
        .putArray("signatures")
        .addObject()
        .put("keyid", keyId())
        .put("sig", Base64.getEncoder().encodeToString(sign(encoded)));
    ObjectNode signed = attestation.deepCopy();
    signed.set("signature", envelope);
    return signed;
  }
}
