package dev.heldcall.plugin.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;

/**
 * What the sender of an incoming message is answered.
 *
 * @param status the HTTP status, 200 to 499
 * @param contentType the body's media type
 * @param body the body's bytes
 */
@SuppressWarnings("ArrayRecordComponent") // written and forgotten; equality is never asked
public record IncomingReply(int status, String contentType, byte[] body) {

  public IncomingReply {
    if (status < 200 || status > 499) {
      throw new IllegalArgumentException("no status for an incoming message: " + status);
    }
    body = body.clone();
  }

  /** A JSON body. */
  public static IncomingReply json(int status, JsonNode body) {
    return new IncomingReply(
        status, "application/json", body.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** A plain text body. */
  public static IncomingReply text(int status, String body) {
    return new IncomingReply(
        status, "text/plain; charset=utf-8", body.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public byte[] body() {
    return body.clone();
  }
}
