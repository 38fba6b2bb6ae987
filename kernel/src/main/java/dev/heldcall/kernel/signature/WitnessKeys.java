package dev.heldcall.kernel.signature;

import dev.heldcall.config.AuthSettings;
import dev.heldcall.config.KeySetSettings;
import dev.heldcall.config.KeySettings;
import dev.heldcall.kernel.signature.VerificationKey.Algorithm;
import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.kernel.witness.SignatureKey;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The public keys of principals: those in the configuration, and those in their key sets. */
public final class WitnessKeys {

  private static final Set<Algorithm> KINDS = EnumSet.of(Algorithm.ED25519, Algorithm.ES256);

  /** A key in the configuration. */
  private record Registered(KeySettings settings, VerificationKey key) {}

  /** A principal's key set. */
  private record Remote(KeySetSettings settings, RemoteKeySet keys) {}

  private final Map<PrincipalRef, Map<String, Registered>> registered = new HashMap<>();
  private final Map<PrincipalRef, Remote> remote = new HashMap<>();
  private final InstantSource clock;

  /**
   * The keys that the settings name.
   *
   * @throws IllegalArgumentException if one of them is no key; the settings reader has told before
   */
  public WitnessKeys(AuthSettings settings, KeySetClient client, InstantSource clock) {
    this.clock = clock;
    for (KeySettings each : settings.keys()) {
      registered
          .computeIfAbsent(each.owner(), owner -> new HashMap<>())
          .put(each.keyId(), new Registered(each, VerificationKey.of(each.jwk(), each.keyId())));
    }
    for (KeySetSettings each : settings.keySets()) {
      remote.put(
          each.owner(),
          new Remote(
              each, new RemoteKeySet(each.keys(), KINDS, client.source(each.keys()), clock)));
    }
  }

  /** Looks for the owner's key; the stage never fails. */
  CompletionStage<KeyLookup> find(PrincipalRef owner, String keyId) {
    Registered known = registered.getOrDefault(owner, Map.of()).get(keyId);
    if (known != null) {
      return CompletableFuture.completedFuture(usable(known, clock.instant()));
    }
    Remote set = remote.get(owner);
    if (set == null) {
      return CompletableFuture.completedFuture(
          new KeyLookup.None("no key '" + keyId + "' is registered for '" + owner.id() + "'"));
    }
    return set.settings().revoked().contains(keyId)
        ? CompletableFuture.completedFuture(revoked(keyId))
        : set.keys().find(keyId);
  }

  private static KeyLookup usable(Registered known, Instant now) {
    KeySettings key = known.settings();
    if (key.revoked()) {
      return revoked(key.keyId());
    }
    Instant notBefore = key.notBefore();
    if (notBefore != null && now.isBefore(notBefore)) {
      return new KeyLookup.None("the key '" + key.keyId() + "' is not in use before " + notBefore);
    }
    Instant notAfter = key.notAfter();
    if (notAfter != null && !now.isBefore(notAfter)) {
      return new KeyLookup.None("the key '" + key.keyId() + "' was in use until " + notAfter);
    }
    return new KeyLookup.Found(known.key());
  }

  private static KeyLookup revoked(String keyId) {
    return new KeyLookup.None("the key '" + keyId + "' is revoked");
  }

  /** Whether any keys are at addresses. */
  public boolean remote() {
    return !remote.isEmpty();
  }

  /** Reads anew, in the background, every key set that is due. */
  public void keepFresh() {
    remote.values().forEach(each -> each.keys().keepFresh());
  }

  /** How keys stand now. */
  public KeyStandings standings() {
    Instant now = clock.instant();
    return (owner, key) -> standing(owner, key, now);
  }

  private KeyStanding standing(PrincipalRef owner, SignatureKey key, Instant now) {
    @Nullable Registered known = registered.getOrDefault(owner, Map.of()).get(key.keyId());
    if (known != null) {
      boolean same = known.key().id().equals(key);
      return same && !known.settings().revoked() ? KeyStanding.STANDS : KeyStanding.REVOKED;
    }
    Remote set = remote.get(owner);
    return set == null || set.settings().revoked().contains(key.keyId())
        ? KeyStanding.REVOKED
        : set.keys().standing(key, now);
  }
}
