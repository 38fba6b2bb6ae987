package dev.heldcall.gateway.auth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.config.JwtIssuerSettings;
import dev.heldcall.gateway.auth.TokenAuthenticator.Identity;
import dev.heldcall.kernel.signature.CompactJws;
import dev.heldcall.kernel.signature.KeyLookup;
import dev.heldcall.kernel.signature.KeySetClient;
import dev.heldcall.kernel.signature.RemoteKeySet;
import dev.heldcall.kernel.signature.SignatureProblem;
import dev.heldcall.kernel.signature.VerificationKey;
import dev.heldcall.kernel.signature.VerificationKey.Algorithm;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Verifies JWTs (RFC 7519) as bearer tokens by the practice of RFC 8725: the issuer is one that is
 * configured, the key is the issuer's, the algorithm is the key's, and audience and times hold.
 * What a token may then say is {@link JwtClaims}' matter.
 */
final class JwtVerifier {

  private static final Set<Algorithm> ALGORITHMS = EnumSet.allOf(Algorithm.class);

  /** Types that an access token may have; every other JWT was made for something else. */
  private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

  /** An issuer, and how its keys are found. */
  private record Issuer(
      JwtIssuerSettings settings, Function<String, CompletionStage<KeyLookup>> keys) {}

  private final Map<String, Issuer> issuers = new HashMap<>();
  private final InstantSource clock;

  JwtVerifier(List<JwtIssuerSettings> settings, KeySetClient client, InstantSource clock) {
    this.clock = clock;
    for (JwtIssuerSettings each : settings) {
      issuers.put(each.issuer(), new Issuer(each, keys(each, client, clock)));
    }
  }

  private static Function<String, CompletionStage<KeyLookup>> keys(
      JwtIssuerSettings issuer, KeySetClient client, InstantSource clock) {
    if (issuer.remote() != null) {
      return new RemoteKeySet(issuer.remote(), ALGORITHMS, client.source(issuer.remote()), clock)
          ::find;
    }
    Map<String, VerificationKey> configured = new HashMap<>();
    for (String jwk : issuer.jwks()) {
      VerificationKey key = VerificationKey.of(jwk, "");
      configured.put(key.id().keyId(), key);
    }
    return keyId -> {
      VerificationKey key = configured.get(keyId);
      return CompletableFuture.completedFuture(
          key == null
              ? new KeyLookup.None("the key '" + keyId + "' is not one of the issuer's")
              : new KeyLookup.Found(key));
    };
  }

  /** Whether the text could be one for this verifier: three parts, and somebody issues. */
  boolean takes(String token) {
    return !issuers.isEmpty() && token.chars().filter(c -> c == '.').count() == 2;
  }

  /** Finds whom the token names. The stage never fails. */
  CompletionStage<Identity> verify(String token) {
    try {
      CompactJws jws = CompactJws.parse(token, ALGORITHMS, false);
      ObjectNode claims = jws.json();
      Issuer issuer = issuer(claims);
      checkType(jws.header());
      String keyId = jws.keyId();
      if (keyId == null) {
        throw new SignatureProblem("the token names no key ('kid')");
      }
      return issuer.keys().apply(keyId).thenApply(found -> identity(jws, claims, issuer, found));
    } catch (SignatureProblem e) {
      return CompletableFuture.completedFuture(new Identity.Refused(e.reason()));
    }
  }

  private Issuer issuer(ObjectNode claims) throws SignatureProblem {
    JsonNode iss = claims.path("iss");
    Issuer issuer = iss.isTextual() ? issuers.get(iss.textValue()) : null;
    if (issuer == null) {
      throw new SignatureProblem("the token is of no issuer that is known");
    }
    return issuer;
  }

  private static void checkType(ObjectNode header) throws SignatureProblem {
    JsonNode type = header.get("typ");
    if (type != null && !TYPES.contains(type.asText().toLowerCase(Locale.ROOT))) {
      throw new SignatureProblem("the token's type ('typ') is not that of an access token");
    }
  }

  private Identity identity(CompactJws jws, ObjectNode claims, Issuer issuer, KeyLookup found) {
    return switch (found) {
      case KeyLookup.Unreachable(String reason) ->
          new Identity.Unavailable("the token cannot be verified now: " + reason);
      case KeyLookup.None(String reason) -> new Identity.Refused(reason);
      case KeyLookup.Found(VerificationKey key) -> {
        try {
          jws.verify(key);
          Instant now = clock.instant();
          yield new Identity.Known(new JwtClaims(claims, issuer.settings()).principal(now));
        } catch (SignatureProblem e) {
          yield new Identity.Refused(e.reason());
        }
      }
    };
  }
}
