package dev.heldcall.witness.ci;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.witness.evidence.StrictJson;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Reads the forge's webhook events; their signature is over the bytes as they came. */
final class ForgeEvent {

  private static final String ALGORITHM = "HmacSHA256";
  private static final String PREFIX = "sha256=";

  private ForgeEvent() {}

  /** Whether {@code X-Hub-Signature-256} is that of somebody who knows the secret. */
  static boolean isSigned(IncomingMessage message, String secret) {
    String given = message.header("x-hub-signature-256").orElse("");
    if (!given.startsWith(PREFIX)) {
      return false;
    }
    byte[] ours = signature(message.body(), secret);
    try {
      return MessageDigest.isEqual(ours, HexFormat.of().parseHex(given.substring(PREFIX.length())));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  static byte[] signature(byte[] body, String secret) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return mac.doFinal(body);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has HmacSHA256", e);
    }
  }

  /** The commit that an event is about; null if it is about none. */
  static @Nullable CommitRef commit(IncomingMessage message) {
    JsonNode body = StrictJson.object(message.body());
    if (body == null) {
      return null;
    }
    String sha =
        switch (message.header("x-github-event").orElse("")) {
          case "check_run" -> body.at("/check_run/head_sha").asText("");
          case "check_suite" -> body.at("/check_suite/head_sha").asText("");
          case "status" -> body.path("sha").asText("");
          default -> "";
        };
    try {
      return CommitRef.of(body.at("/repository/full_name").asText(""), sha);
    } catch (dev.heldcall.witness.evidence.Undecidable e) {
      return null;
    }
  }
}
