package dev.heldcall.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The tokens that everybody knows: good on a loopback address, refused on any other, whatever file
 * brings them.
 */
final class DevTokens {

  static final List<String> NAMES =
      List.of(
          "dev-agent",
          "dev-agent-2",
          "dev-alice",
          "dev-bob",
          "dev-fraud",
          "dev-compliance",
          "dev-breakglass",
          "dev-ci",
          "dev-peer",
          "dev-operator",
          "dev-policy");

  private static final Set<String> DIGESTS =
      NAMES.stream().map(DevTokens::sha256).collect(Collectors.toUnmodifiableSet());

  private DevTokens() {}

  /** Whether the digest is that of a well-known token. */
  static boolean isOne(TokenSettings token) {
    return DIGESTS.contains(token.sha256());
  }

  static String sha256(String token) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
