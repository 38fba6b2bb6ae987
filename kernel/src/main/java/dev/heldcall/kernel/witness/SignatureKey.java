package dev.heldcall.kernel.witness;

/**
 * The public key that a signature was verified with. Its thumbprint is in it because a key id may
 * be given to another key later, and what the first one signed does not become the other one's.
 *
 * @param keyId its name among its owner's keys, the {@code kid}
 * @param thumbprint its RFC 7638 thumbprint: SHA-256, base64url
 */
public record SignatureKey(String keyId, String thumbprint) {

  public SignatureKey {
    if (keyId.isEmpty() || thumbprint.isEmpty()) {
      throw new IllegalArgumentException("a key has an id and a thumbprint");
    }
  }
}
