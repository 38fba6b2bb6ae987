package dev.heldcall.kernel.execute;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.lease.Lease;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/**
 * Signs permits: compact JWSs (RFC 7515) with {@code EdDSA} over Ed25519 (RFC 8037), by which a
 * tool can refuse what no kernel released (the effect protocol, step 4). Signing is deterministic:
 * the same lease always gives the same permit, so that a permit can be made again instead of kept.
 */
public final class PermitSigner {

  /** The JWS header's {@code typ}: no other kind of token can be taken for a permit. */
  public static final String TYPE = "heldcall-permit+jwt";

  /** SubjectPublicKeyInfo of an Ed25519 key up to its 32 bytes (RFC 8410, section 10.1). */
  private static final byte[] SPKI_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
  private static final int KEY_BYTES = 32;
  private static final String ALGORITHM = "Ed25519";

  /** The first of a JWS's three parts with its dot. */
  private final String header;

  private final Ed25519PrivateKeyParameters key;
  private final ArrayNode publicKeys;

  private PermitSigner(String header, Ed25519PrivateKeyParameters key, ArrayNode publicKeys) {
    this.header = header;
    this.key = key;
    this.publicKeys = publicKeys;
  }

  /**
   * A key pair to be kept for the whole cluster.
   *
   * @param id its {@code kid}, the RFC 7638 thumbprint
   * @param jwk the pair as a JSON Web Key, the private part included
   */
  public record PermitKey(String id, String jwk) {

    /** Never the key itself. */
    @Override
    public String toString() {
      return "PermitKey[" + id + "]";
    }
  }

  /** Makes a key pair out of the platform's secure randomness. */
  public static PermitKey newKey() {
    try {
      KeyPair pair = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
      byte[] encoded = pair.getPublic().getEncoded();
      byte[] x = Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length);
      byte[] d =
          ((EdECPrivateKey) pair.getPrivate())
              .getBytes()
              .orElseThrow(() -> new GeneralSecurityException("the private key has no bytes"));
      OctetKeyPair jwk =
          new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(x))
              .d(Base64URL.encode(d))
              .algorithm(JWSAlgorithm.EdDSA)
              .keyUse(KeyUse.SIGNATURE)
              .keyIDFromThumbprint()
              .build();
      return new PermitKey(jwk.getKeyID(), jwk.toJSONString());
    } catch (GeneralSecurityException | JOSEException e) {
      throw new IllegalStateException("every Java platform has Ed25519", e);
    }
  }

  /**
   * A signer.
   *
   * @param jwks key pairs as made by {@link #newKey}, the one to sign with first; the others are
   *     only published, so that permits already signed still verify
   * @throws IllegalArgumentException if there is none, or one is no Ed25519 pair that belongs
   *     together; the message never shows a key
   */
  public static PermitSigner of(List<String> jwks) {
    if (jwks.isEmpty()) {
      throw new IllegalArgumentException("no key to sign permits with");
    }
    ArrayNode published = JsonNodeFactory.instance.arrayNode();
    OctetKeyPair first = parse(jwks.getFirst());
    for (String jwk : jwks) {
      ObjectNode node = published.addObject();
      parse(jwk)
          .toPublicJWK()
          .toJSONObject()
          .forEach((name, value) -> node.put(name, String.valueOf(value)));
    }
    ObjectNode header = JsonNodeFactory.instance.objectNode();
    header.put("alg", JWSAlgorithm.EdDSA.getName());
    header.put("typ", TYPE);
    header.put("kid", first.getKeyID());
    String encoded = encoded(CanonicalJson.bytes(header)) + ".";
    return new PermitSigner(encoded, checkedPair(first), published);
  }

  /** The permit for one lease. */
  public String permit(Lease lease, Generation generation) {
    String signed = header + encoded(claims(lease, generation).getBytes(UTF_8));
    return signed + "." + encoded(signature(key, signed.getBytes(US_ASCII)));
  }

  /** The claims in their canonical form (RFC 8785), in which names are in alphabetical order. */
  static String claims(Lease lease, Generation generation) {
    StringBuilder out = new StringBuilder(512);
    text(out, "{\"args_digest\":", generation.argsDigest().value());
    text(out, ",\"call_digest\":", lease.callDigest().value());
    text(out, ",\"deadline\":", Rfc3339.millis(lease.deadline()));
    out.append(",\"exp\":").append(secondsNotBefore(lease.deadline()));
    text(out, ",\"fencing_token\":", lease.token().toString());
    out.append(",\"generation\":").append(generation.number());
    text(out, ",\"held_id\":", lease.heldId());
    out.append(",\"iat\":").append(lease.grantedAt().getEpochSecond());
    text(out, ",\"idempotency_key\":", lease.idempotencyKey());
    text(out, ",\"iss\":", "heldcall");
    text(out, ",\"lease_id\":", lease.leaseId());
    text(out, ",\"tool\":", generation.tool());
    return out.append('}').toString();
  }

  private static void text(StringBuilder out, String name, String value) {
    out.append(name);
    if (value.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '"' && c != '\\')) {
      out.append('"').append(value).append('"');
    } else {
      out.append(CanonicalJson.text(TextNode.valueOf(value)));
    }
  }

  /** The JWK set (RFC 7517) that permits are verified with; no private part is in it. */
  public JsonNode publicKeys() {
    ObjectNode set = JsonNodeFactory.instance.objectNode();
    set.set("keys", publicKeys.deepCopy());
    return set;
  }

  /** The token lives at least as long as the lease; the exact end is the claim {@code deadline}. */
  private static long secondsNotBefore(Instant time) {
    return time.getNano() == 0 ? time.getEpochSecond() : time.getEpochSecond() + 1;
  }

  private static OctetKeyPair parse(String jwk) {
    OctetKeyPair pair;
    try {
      pair = OctetKeyPair.parse(jwk);
    } catch (ParseException e) {
      // neither the cause nor its message: they may quote the key
      throw new IllegalArgumentException("a permit key is no JSON Web Key of an octet key pair");
    }
    if (!Curve.Ed25519.equals(pair.getCurve()) || !pair.isPrivate() || pair.getKeyID() == null) {
      throw new IllegalArgumentException("a permit key is no Ed25519 pair with a key id");
    }
    return pair;
  }

  /**
   * What was kept may have been damaged: a signature that nobody can verify releases nothing. The
   * platform verifies, so that two implementations agree on the pair.
   */
  private static Ed25519PrivateKeyParameters checkedPair(OctetKeyPair pair) {
    byte[] d = pair.getDecodedD();
    if (d.length != KEY_BYTES) {
      throw new IllegalArgumentException("a permit key is no Ed25519 pair");
    }
    Ed25519PrivateKeyParameters key = new Ed25519PrivateKeyParameters(d);
    byte[] probe = "heldcall".getBytes(US_ASCII);
    try {
      byte[] x = pair.getDecodedX();
      byte[] spki = Arrays.copyOf(SPKI_PREFIX, SPKI_PREFIX.length + x.length);
      System.arraycopy(x, 0, spki, SPKI_PREFIX.length, x.length);
      Signature verifier = Signature.getInstance(ALGORITHM);
      verifier.initVerify(
          KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(spki)));
      verifier.update(probe);
      if (!verifier.verify(signature(key, probe))) {
        throw new IllegalArgumentException("a permit key's two parts do not belong together");
      }
      return key;
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("a permit key is no Ed25519 pair", e);
    }
  }

  /** By Bouncy Castle, which takes a tenth of the platform's time for the same bytes. */
  private static byte[] signature(Ed25519PrivateKeyParameters key, byte[] text) {
    byte[] signature = new byte[Ed25519PrivateKeyParameters.SIGNATURE_SIZE];
    key.sign(Ed25519.Algorithm.Ed25519, null, text, 0, text.length, signature, 0);
    return signature;
  }

  private static String encoded(byte[] bytes) {
    return BASE64.encodeToString(bytes);
  }
}
