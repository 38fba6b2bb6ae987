package dev.heldcall.witness.webhook;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookSigningException;
import dev.heldcall.plugin.api.IncomingMessage;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that a service and this node share, and the signatures of Standard Webhooks 1.0.0
 * made with them ({@code v1}, HMAC-SHA256). The library signs; when a message counts as fresh is
 * decided here, by the node's clock.
 */
public final class WebhookKeys {

  /** What a secret begins with. */
  public static final String PREFIX = "whsec_";

  /** How far a message's time may be from the node's, either way. */
  public static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final int MIN_BYTES = 24;
  private static final int MAX_BYTES = 64;
  private static final int MAX_SIGNATURES = 8;

  /** Without a full stop, as the specification asks: it parts the id from the time. */
  private static final Pattern ID = Pattern.compile("[!-~&&[^.]]{1,256}");

  private static final Pattern SECONDS = Pattern.compile("[1-9][0-9]{0,11}");

  private final List<Webhook> keys;

  private WebhookKeys(List<Webhook> keys) {
    this.keys = keys;
  }

  /** Whether a text is a secret: {@code whsec_} and 24 to 64 bytes in Base64. */
  public static boolean isSecret(String text) {
    try {
      int bytes =
          text.startsWith(PREFIX)
              ? Base64.getDecoder().decode(text.substring(PREFIX.length())).length
              : 0;
      return bytes >= MIN_BYTES && bytes <= MAX_BYTES;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * With secrets.
   *
   * @param previous the secret before, while it is being replaced: signed with, and believed,
   *     beside the new one; or null
   */
  public static WebhookKeys of(String secret, @Nullable String previous) {
    List<Webhook> keys = new ArrayList<>();
    keys.add(new Webhook(secret));
    if (previous != null) {
      keys.add(new Webhook(previous));
    }
    return new WebhookKeys(keys);
  }

  /** The header {@code webhook-signature} of a message: one signature a secret. */
  public String sign(String id, Instant at, String body) {
    return String.join(" ", signatures(id, at.getEpochSecond(), body));
  }

  private List<String> signatures(String id, long seconds, String body) {
    List<String> signatures = new ArrayList<>();
    try {
      for (Webhook key : keys) {
        signatures.add(key.sign(id, seconds, body));
      }
    } catch (WebhookSigningException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
    return signatures;
  }

  /**
   * What is wrong with the signature of a message; null if somebody who has a secret signed these
   * bytes within {@link #TOLERANCE} of now.
   */
  public @Nullable String problem(IncomingMessage message, Instant now) {
    String id = message.header("webhook-id").orElse("");
    String time = message.header("webhook-timestamp").orElse("");
    String given = message.header("webhook-signature").orElse("");
    if (!ID.matcher(id).matches() || !SECONDS.matcher(time).matches() || given.isEmpty()) {
      return "the headers webhook-id, webhook-timestamp and webhook-signature are needed, once each";
    }
    long seconds = Long.parseLong(time);
    Duration off = Duration.between(Instant.ofEpochSecond(seconds), now).abs();
    if (off.compareTo(TOLERANCE) > 0) {
      return "webhook-timestamp is more than "
          + TOLERANCE.toMinutes()
          + " minutes from this node's time";
    }
    String body;
    try {
      body = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(message.body())).toString();
    } catch (CharacterCodingException e) {
      return "the body is not UTF-8";
    }
    return isSigned(signatures(id, seconds, body), given)
        ? null
        : "no signature of the body is one of this provider's secrets";
  }

  private static boolean isSigned(List<String> expected, String given) {
    boolean signed = false;
    int tried = 0;
    for (String each : given.split(" ", MAX_SIGNATURES + 1)) {
      if (++tried > MAX_SIGNATURES) {
        break;
      }
      for (String one : expected) {
        signed |=
            MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), each.getBytes(StandardCharsets.UTF_8));
      }
    }
    return signed;
  }

  @Override
  public String toString() {
    return "WebhookKeys[" + keys.size() + "]"; // never the secrets
  }
}
