package dev.heldcall.config;

import java.util.List;

/**
 * Who is who ({@code heldcall.auth}).
 *
 * @param tokens static tokens, each with a digest of its own
 * @param keys public keys that principals sign attestations with
 * @param keySets the same at addresses, at most one for a principal
 * @param issuers whose JWTs are taken as bearer tokens
 */
public record AuthSettings(
    List<TokenSettings> tokens,
    List<KeySettings> keys,
    List<KeySetSettings> keySets,
    List<JwtIssuerSettings> issuers) {

  public AuthSettings {
    tokens = List.copyOf(tokens);
    keys = List.copyOf(keys);
    keySets = List.copyOf(keySets);
    issuers = List.copyOf(issuers);
  }

  /** Static tokens only. */
  public AuthSettings(List<TokenSettings> tokens) {
    this(tokens, List.of(), List.of(), List.of());
  }
}
