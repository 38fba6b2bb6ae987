package dev.heldcall.gateway.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heldcall.config.AuthSettings;
import dev.heldcall.config.TokenSettings;
import dev.heldcall.plugin.api.Principal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Finds the principal that a bearer token stands for (RFC 6750). Only SHA-256 digests of tokens are
 * kept, and every one of them is compared in full, so that neither a match nor its place shows in
 * the time an answer takes.
 */
public final class TokenAuthenticator {

  /** What one request's {@code Authorization} headers say. */
  public sealed interface Identity {

    /** A token that somebody has. */
    record Known(Principal principal) implements Identity {}

    /** No header at all. */
    record Absent() implements Identity {}

    /**
     * Something that stands for nobody.
     *
     * @param reason why, for the client; never any of the token
     */
    record Refused(String reason) implements Identity {}
  }

  private static final String SCHEME = "bearer ";
  private static final int MAX_TOKEN = 4096;

  /** A token's digest and whom it stands for. */
  private static final class Entry {
    private final byte[] digest;
    private final Principal principal;

    Entry(byte[] digest, Principal principal) {
      this.digest = digest;
      this.principal = principal;
    }
  }

  private final List<Entry> entries;

  /** Knows exactly the tokens of the settings. */
  public TokenAuthenticator(AuthSettings settings) {
    entries = settings.tokens().stream().map(TokenAuthenticator::entry).toList();
  }

  private static Entry entry(TokenSettings token) {
    return new Entry(HexFormat.of().parseHex(token.sha256()), token.principal());
  }

  /**
   * Reads the values of a request's {@code Authorization} headers: exactly one is accepted, of the
   * scheme {@code Bearer}.
   */
  public Identity authenticate(List<String> headers) {
    if (headers.isEmpty()) {
      return new Identity.Absent();
    }
    if (headers.size() > 1) {
      return new Identity.Refused("more than one Authorization header");
    }
    String header = headers.getFirst().strip();
    if (!header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return new Identity.Refused("expected the scheme Bearer");
    }
    String token = header.substring(SCHEME.length()).strip();
    if (token.isEmpty() || token.length() > MAX_TOKEN || token.indexOf(' ') >= 0) {
      return new Identity.Refused("the token is malformed");
    }
    Principal found = find(sha256(token));
    return found == null
        ? new Identity.Refused("the token is not known")
        : new Identity.Known(found);
  }

  private @Nullable Principal find(byte[] digest) {
    Principal found = null;
    for (Entry entry : entries) {
      if (MessageDigest.isEqual(entry.digest, digest)) {
        found = entry.principal;
      }
    }
    return found;
  }

  private static byte[] sha256(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
