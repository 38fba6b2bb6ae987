package dev.heldcall.kernel.signature;

import dev.heldcall.kernel.signature.VerificationKey.Algorithm;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.Signature;
import java.security.SignatureException;
import java.util.Optional;

/** The algorithms by their names in a JWS (RFC 7518, RFC 8037, RFC 9864), and the platform's. */
final class JwsAlgorithms {

  private static final int PAIR_BYTES = 64;

  private JwsAlgorithms() {}

  /**
   * The algorithm that {@code alg} names; empty for all others, {@code none} and HMACs included.
   */
  static Optional<Algorithm> named(String alg) {
    return switch (alg) {
      case "EdDSA", "Ed25519" -> Optional.of(Algorithm.ED25519);
      case "ES256" -> Optional.of(Algorithm.ES256);
      case "RS256" -> Optional.of(Algorithm.RS256);
      default -> Optional.empty();
    };
  }

  /** Whether the signature, as a JWS has it, is the key's over these bytes. */
  static boolean verify(VerificationKey key, byte[] signed, byte[] signature) {
    return switch (key.algorithm()) {
      case ED25519 -> verify("Ed25519", key, signed, signature);
      case ES256 ->
          signature.length == PAIR_BYTES
              && verify("SHA256withECDSAinP1363Format", key, signed, signature);
      case RS256 -> verify("SHA256withRSA", key, signed, signature);
    };
  }

  /**
   * Whether it is, as a DSSE envelope may have it: ECDSA signatures are the two numbers side by
   * side, or in ASN.1 DER, as most tools that sign in-toto statements write them.
   */
  static boolean verifyEither(VerificationKey key, byte[] signed, byte[] signature) {
    boolean inDer = key.algorithm() == Algorithm.ES256 && signature.length != PAIR_BYTES;
    return inDer
        ? verify("SHA256withECDSA", key, signed, signature)
        : verify(key, signed, signature);
  }

  private static boolean verify(
      String algorithm, VerificationKey key, byte[] signed, byte[] signature) {
    try {
      Signature verifier = Signature.getInstance(algorithm);
      verifier.initVerify(key.publicKey());
      verifier.update(signed);
      return verifier.verify(signature);
    } catch (SignatureException | InvalidKeyException e) {
      // a signature that has not even the form of one
      return false;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has " + algorithm, e);
    }
  }
}
