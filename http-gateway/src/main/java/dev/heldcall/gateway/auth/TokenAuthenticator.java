package dev.heldcall.gateway.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.heldcall.config.AuthSettings;
import dev.heldcall.config.TokenSettings;
import dev.heldcall.kernel.signature.KeySetClient;
import dev.heldcall.plugin.api.Principal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Finds the principal that a bearer token stands for (RFC 6750): a static one of the configuration,
 * or a JWT of a configured issuer. Only SHA-256 digests of static tokens are kept, and every one of
 * them is compared in full, so that neither a match nor its place shows in the time an answer
 * takes.
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

    /**
     * A token of which nobody can tell now whether it stands for somebody: its issuer's keys could
     * not be read.
     *
     * @param reason why, for the client; never any of the token
     */
    record Unavailable(String reason) implements Identity {}
  }

  private static final String SCHEME = "bearer ";
  private static final int MAX_TOKEN = 8000;

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
  private final JwtVerifier jwts;

  /** Knows exactly the tokens and the issuers of the settings, whose keys the client fetches. */
  public TokenAuthenticator(AuthSettings settings, KeySetClient client, InstantSource clock) {
    entries = settings.tokens().stream().map(TokenAuthenticator::entry).toList();
    jwts = new JwtVerifier(settings.issuers(), client, clock);
  }

  private static Entry entry(TokenSettings token) {
    return new Entry(HexFormat.of().parseHex(token.sha256()), token.principal());
  }

  /**
   * Reads the values of a request's {@code Authorization} headers: exactly one is accepted, of the
   * scheme {@code Bearer}. The stage never fails; it is complete but for a JWT whose issuer's keys
   * have to be fetched.
   */
  public CompletionStage<Identity> authenticate(List<String> headers) {
    if (headers.isEmpty()) {
      return CompletableFuture.completedFuture(new Identity.Absent());
    }
    if (headers.size() > 1) {
      return refused("more than one Authorization header");
    }
    String header = headers.getFirst().strip();
    if (!header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return refused("expected the scheme Bearer");
    }
    String token = header.substring(SCHEME.length()).strip();
    if (token.isEmpty() || token.length() > MAX_TOKEN || token.indexOf(' ') >= 0) {
      return refused("the token is malformed");
    }
    Principal found = find(sha256(token));
    if (found != null) {
      return CompletableFuture.completedFuture(new Identity.Known(found));
    }
    return jwts.takes(token) ? jwts.verify(token) : refused("the token is not known");
  }

  private static CompletionStage<Identity> refused(String reason) {
    return CompletableFuture.completedFuture(new Identity.Refused(reason));
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
