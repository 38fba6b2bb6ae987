package dev.heldcall.witness.slack;

import dev.heldcall.plugin.api.IncomingMessage;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Slack's signature of what it posts, version {@code v0}: HMAC-SHA256 over version, time and the
 * body's bytes (docs.slack.dev, "Verifying requests from Slack").
 */
final class SlackSignature {

  /** How far a message's time may be from the node's, either way. */
  static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final String ALGORITHM = "HmacSHA256";
  private static final Pattern SECONDS = Pattern.compile("[1-9][0-9]{0,11}");
  private static final Pattern FORM = Pattern.compile("v0=[0-9a-f]{64}");

  private final List<SecretKeySpec> keys;

  private SlackSignature(List<SecretKeySpec> keys) {
    this.keys = keys;
  }

  /**
   * With the app's signing secret.
   *
   * @param previous the secret before, believed beside the new one while it is being replaced; or
   *     null
   */
  static SlackSignature of(String secret, @Nullable String previous) {
    return new SlackSignature(
        previous == null ? List.of(key(secret)) : List.of(key(secret), key(previous)));
  }

  private static SecretKeySpec key(String secret) {
    return new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM);
  }

  /**
   * What is wrong with a message's signature; null if Slack signed these bytes within {@link
   * #TOLERANCE} of now.
   */
  @Nullable String problem(IncomingMessage message, Instant now) {
    String time = message.header("X-Slack-Request-Timestamp").orElse("");
    String given = message.header("X-Slack-Signature").orElse("");
    if (!SECONDS.matcher(time).matches() || !FORM.matcher(given).matches()) {
      return "the headers X-Slack-Request-Timestamp and X-Slack-Signature are needed, once each";
    }
    Instant at = Instant.ofEpochSecond(Long.parseLong(time));
    if (Duration.between(at, now).abs().compareTo(TOLERANCE) > 0) {
      return "X-Slack-Request-Timestamp is more than "
          + TOLERANCE.toMinutes()
          + " minutes from this node's time";
    }
    return isSigned(time, message.body(), given)
        ? null
        : "the signature of the body is not made with this app's signing secret";
  }

  private boolean isSigned(String time, byte[] body, String given) {
    boolean signed = false;
    for (SecretKeySpec key : keys) {
      signed |=
          MessageDigest.isEqual(
              signature(key, time, body).getBytes(StandardCharsets.US_ASCII),
              given.getBytes(StandardCharsets.US_ASCII));
    }
    return signed;
  }

  private static String signature(SecretKeySpec key, String time, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      mac.update(("v0:" + time + ":").getBytes(StandardCharsets.US_ASCII));
      return "v0=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  @Override
  public String toString() {
    return "SlackSignature[" + keys.size() + "]"; // never the secrets
  }
}
