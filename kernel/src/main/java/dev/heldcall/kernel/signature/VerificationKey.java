package dev.heldcall.kernel.signature;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import dev.heldcall.kernel.witness.SignatureKey;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * A public key, and the one algorithm that it is used with. A key never follows the algorithm that
 * a signature names: that is how a signature chooses its own verification.
 *
 * @param id its key id and thumbprint
 */
public record VerificationKey(SignatureKey id, Algorithm algorithm, PublicKey publicKey) {

  /** What a signature is made with. */
  public enum Algorithm {
    /** Ed25519 (RFC 8037); in a JWS {@code EdDSA}, or {@code Ed25519} by RFC 9864. */
    ED25519("Ed25519"),
    /** ECDSA over P-256 with SHA-256 (RFC 7518). */
    ES256("P-256"),
    /** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518), for JWTs only. */
    RS256("RSA");

    private final String keyType;

    Algorithm(String keyType) {
      this.keyType = keyType;
    }

    /** What its keys are called. */
    public String keyType() {
      return keyType;
    }
  }

  /** SubjectPublicKeyInfo of an Ed25519 key up to its 32 bytes (RFC 8410, section 10.1). */
  private static final byte[] SPKI_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private static final int ED25519_BYTES = 32;
  private static final int MIN_RSA_BITS = 2048;

  /**
   * Reads a JSON Web Key.
   *
   * @param keyId its name if it says none itself
   * @throws IllegalArgumentException if it is none, a private one, of another kind, or meant for
   *     something else than verifying; the message never shows it
   */
  public static VerificationKey of(String jwk, String keyId) {
    try {
      return of(JWK.parse(jwk), keyId);
    } catch (ParseException e) {
      // neither the cause nor its message: they may quote the key
      throw new IllegalArgumentException("it is no JSON Web Key");
    }
  }

  static VerificationKey of(JWK jwk, String keyId) {
    if (jwk.isPrivate()) {
      throw new IllegalArgumentException("it has a private part");
    }
    if (jwk.getKeyUse() != null && !jwk.getKeyUse().equals(KeyUse.SIGNATURE)) {
      throw new IllegalArgumentException("it is not meant for signatures");
    }
    if (jwk.getKeyOperations() != null && !jwk.getKeyOperations().contains(KeyOperation.VERIFY)) {
      throw new IllegalArgumentException("it is not meant for verifying");
    }
    try {
      VerificationKey key =
          switch (jwk) {
            case OctetKeyPair it -> key(it, keyId, Algorithm.ED25519, ed25519(it));
            case ECKey it -> key(it, keyId, Algorithm.ES256, p256(it));
            case RSAKey it -> key(it, keyId, Algorithm.RS256, rsa(it));
            default -> throw new IllegalArgumentException("it is of no kind that is verified with");
          };
      String meant = jwk.getAlgorithm() == null ? null : jwk.getAlgorithm().getName();
      if (meant != null
          && !JwsAlgorithms.named(meant).filter(key.algorithm()::equals).isPresent()) {
        throw new IllegalArgumentException("it is meant for the algorithm '" + meant + "'");
      }
      return key;
    } catch (GeneralSecurityException | JOSEException e) {
      throw new IllegalArgumentException("its numbers make no key", e);
    }
  }

  private static VerificationKey key(JWK jwk, String keyId, Algorithm algorithm, PublicKey key)
      throws JOSEException {
    String id = jwk.getKeyID() == null ? keyId : jwk.getKeyID();
    return new VerificationKey(
        new SignatureKey(id, jwk.computeThumbprint().toString()), algorithm, key);
  }

  private static PublicKey ed25519(OctetKeyPair pair) throws GeneralSecurityException {
    byte[] x = pair.getDecodedX();
    if (!Curve.Ed25519.equals(pair.getCurve()) || x.length != ED25519_BYTES) {
      throw new IllegalArgumentException("its curve is not Ed25519");
    }
    byte[] spki = Arrays.copyOf(SPKI_PREFIX, SPKI_PREFIX.length + x.length);
    System.arraycopy(x, 0, spki, SPKI_PREFIX.length, x.length);
    return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(spki));
  }

  private static PublicKey p256(ECKey key) throws JOSEException {
    if (!Curve.P_256.equals(key.getCurve())) {
      throw new IllegalArgumentException("its curve is not P-256");
    }
    return key.toECPublicKey();
  }

  private static PublicKey rsa(RSAKey key) throws JOSEException {
    if (key.size() < MIN_RSA_BITS) {
      throw new IllegalArgumentException("it has less than " + MIN_RSA_BITS + " bits");
    }
    return key.toRSAPublicKey();
  }
}
