package dev.heldcall.kernel.signature;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import dev.heldcall.config.RemoteKeysSettings;
import dev.heldcall.kernel.signature.VerificationKey.Algorithm;
import dev.heldcall.kernel.witness.KeyStanding;
import dev.heldcall.kernel.witness.SignatureKey;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A JSON Web Key Set (RFC 7517) at an address, as it was last read. One fetch runs at a time, and
 * there is a pause between two: neither an unknown key id nor an address that is down makes a
 * storm. A set that was read lately enough is relied on while it cannot be read; an older one is
 * not.
 */
public final class RemoteKeySet {

  private static final Logger LOG = LoggerFactory.getLogger(RemoteKeySet.class);

  /** Gets the bytes at the address; fails if it cannot. */
  @FunctionalInterface
  public interface Source {

    /** What is there now. */
    CompletionStage<byte[]> get();
  }

  /** A set as it was read at a moment. */
  private record Read(Map<String, VerificationKey> keys, Instant at) {}

  private final RemoteKeysSettings settings;
  private final Set<Algorithm> kinds;
  private final Source source;
  private final InstantSource clock;
  private volatile @Nullable Read last;
  private @Nullable Instant tried;
  private @Nullable String failure;
  private @Nullable CompletableFuture<?> underWay;

  /**
   * A set that nothing has been read of yet.
   *
   * @param kinds the algorithms whose keys are taken; others in the set are passed over
   */
  public RemoteKeySet(
      RemoteKeysSettings settings, Set<Algorithm> kinds, Source source, InstantSource clock) {
    this.settings = settings;
    this.kinds = Set.copyOf(kinds);
    this.source = source;
    this.clock = clock;
  }

  /**
   * Looks for a key, reading the set anew if it is due, or if it does not have the key. The stage
   * never fails.
   */
  public CompletionStage<KeyLookup> find(String keyId) {
    Read known = last;
    if (known != null && !due(known) && known.keys().containsKey(keyId)) {
      return CompletableFuture.completedFuture(look(keyId));
    }
    return refresh().handle((done, ignored) -> look(keyId));
  }

  private KeyLookup look(String keyId) {
    Read known = last;
    Read relied = known != null && age(known).compareTo(settings.maxAge()) < 0 ? known : null;
    VerificationKey key = relied == null ? null : relied.keys().get(keyId);
    if (key != null) {
      return new KeyLookup.Found(key);
    }
    String why = failure();
    return relied != null && why == null
        ? new KeyLookup.None("the key '" + keyId + "' is not in the key set")
        : new KeyLookup.Unreachable(
            "the key set could not be read: " + (why == null ? "not yet" : why));
  }

  private synchronized @Nullable String failure() {
    return failure;
  }

  /** Reads the set anew in the background if it is due. */
  public void keepFresh() {
    Read known = last;
    if (known == null || due(known)) {
      var _ = refresh();
    }
  }

  /** How keys of the set stand by what was last read of it. */
  KeyStanding standing(SignatureKey key, Instant now) {
    Read known = last;
    if (known == null || Duration.between(known.at(), now).compareTo(settings.maxAge()) >= 0) {
      return KeyStanding.UNKNOWN;
    }
    VerificationKey there = known.keys().get(key.keyId());
    return there != null && there.id().equals(key) ? KeyStanding.STANDS : KeyStanding.REVOKED;
  }

  private boolean due(Read known) {
    return age(known).compareTo(settings.refresh()) >= 0;
  }

  private Duration age(Read known) {
    return Duration.between(known.at(), clock.instant());
  }

  /** The fetch under way, or a new one unless the last was just now. */
  private synchronized CompletableFuture<?> refresh() {
    CompletableFuture<?> running = underWay;
    if (running != null) {
      return running;
    }
    Instant now = clock.instant();
    Instant before = tried;
    if (before != null && now.isBefore(before.plus(settings.pause()))) {
      return CompletableFuture.completedFuture(null);
    }
    tried = now;
    CompletableFuture<byte[]> fetch =
        get().toCompletableFuture().orTimeout(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
    CompletableFuture<?> taken = fetch.handle((bytes, problem) -> take(now, bytes, problem));
    underWay = taken.isDone() ? null : taken;
    return taken;
  }

  private CompletionStage<byte[]> get() {
    try {
      return source.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private synchronized boolean take(
      Instant begun, byte @Nullable [] bytes, @Nullable Throwable problem) {
    underWay = null;
    String before = failure;
    try {
      if (bytes == null) {
        throw problem == null ? new IllegalStateException("nothing came") : problem;
      }
      last = new Read(read(new String(bytes, StandardCharsets.UTF_8)), begun);
      failure = null;
    } catch (Throwable e) {
      Throwable cause = e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
      String why =
          cause instanceof java.util.concurrent.TimeoutException
              ? "no answer in time"
              : cause instanceof ParseException ? "it is no JSON Web Key Set" : words(cause);
      failure = why;
      if (!why.equals(before)) {
        LOG.warn("the key set at {} could not be read: {}", settings.url(), why);
      }
    }
    return failure == null;
  }

  private static String words(Throwable cause) {
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  /** What cannot be used is passed over: sets have keys for other purposes too. */
  private Map<String, VerificationKey> read(String text) throws ParseException {
    Map<String, VerificationKey> keys = new HashMap<>();
    for (JWK jwk : JWKSet.parse(text).getKeys()) {
      if (jwk.getKeyID() == null) {
        continue;
      }
      try {
        VerificationKey key = VerificationKey.of(jwk, jwk.getKeyID());
        if (kinds.contains(key.algorithm()) && keys.putIfAbsent(jwk.getKeyID(), key) != null) {
          throw new ParseException("two keys have the id '" + jwk.getKeyID() + "'", 0);
        }
      } catch (IllegalArgumentException e) {
        LOG.debug("key '{}' of {}: {}", jwk.getKeyID(), settings.url(), e.getMessage());
      }
    }
    return Map.copyOf(keys);
  }
}
