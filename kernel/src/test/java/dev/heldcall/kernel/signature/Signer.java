package dev.heldcall.kernel.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Arrays;
import java.util.Base64;

/**
 * Somebody with a key pair.
 *
 * @param keyId what signatures name the key by
 * @param pair Ed25519 or P-256
 */
record Signer(String keyId, KeyPair pair) {

  private static final Base64.Encoder URL = Base64.getUrlEncoder().withoutPadding();

  static Signer ed25519(String keyId) {
    try {
      return new Signer(keyId, KeyPairGenerator.getInstance("Ed25519").generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static Signer p256(String keyId) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return new Signer(keyId, generator.generateKeyPair());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean elliptic() {
    return pair.getPublic() instanceof ECPublicKey;
  }

  String alg() {
    return elliptic() ? "ES256" : "EdDSA";
  }

  /** The public key as a JSON Web Key with its id. */
  String jwk() {
    if (pair.getPublic() instanceof ECPublicKey key) {
      return new ECKey.Builder(Curve.P_256, key).keyID(keyId).build().toJSONString();
    }
    byte[] encoded = pair.getPublic().getEncoded();
    byte[] x = Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
    return new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(x))
        .keyID(keyId)
        .build()
        .toJSONString();
  }

  byte[] sign(byte[] content) {
    return sign(content, elliptic() ? "SHA256withECDSAinP1363Format" : "Ed25519");
  }

  byte[] sign(byte[] content, String algorithm) {
    try {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(pair.getPrivate());
      signature.update(content);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  ObjectNode header() {
    return JsonNodeFactory.instance.objectNode().put("alg", alg()).put("kid", keyId);
  }

  /** A compact JWS, whole. */
  String jws(ObjectNode header, byte[] payload) {
    String signed =
        URL.encodeToString(header.toString().getBytes(UTF_8)) + "." + URL.encodeToString(payload);
    return signed + "." + URL.encodeToString(sign(signed.getBytes(UTF_8)));
  }

  /** A signature object with a detached JWS. */
  ObjectNode detached(ObjectNode header, byte[] payload) {
    String[] parts = jws(header, payload).split("\\.", -1);
    return JsonNodeFactory.instance.objectNode().put("jws", parts[0] + ".." + parts[2]);
  }

  /** A DSSE envelope around a statement. */
  ObjectNode envelope(ObjectNode statement) {
    return envelope("application/vnd.in-toto+json", statement.toString().getBytes(UTF_8));
  }

  ObjectNode envelope(String payloadType, byte[] payload) {
    byte[] signature = sign(DsseEnvelope.preAuthentication(payloadType, payload));
    return envelope(payloadType, payload, signature);
  }

  ObjectNode envelope(String payloadType, byte[] payload, byte[] signature) {
    ObjectNode envelope = JsonNodeFactory.instance.objectNode();
    envelope.put("payloadType", payloadType);
    envelope.put("payload", Base64.getEncoder().encodeToString(payload));
    envelope
        .putArray("signatures")
        .addObject()
        .put("keyid", keyId)
        .put("sig", Base64.getEncoder().encodeToString(signature));
    return envelope;
  }
}
