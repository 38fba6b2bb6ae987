package dev.heldcall.plugin.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;

/** What the sender of an incoming message is answered. */
public final class IncomingReply {

  private final int status;
  private final String contentType;
  private final byte[] body;

  /**
   * A reply.
   *
   * @param status the HTTP status, 200 to 499
   * @param contentType the body's media type
   * @param body the body's bytes
   * @throws IllegalArgumentException if the status is out of bounds
   */
  public IncomingReply(int status, String contentType, byte[] body) {
    if (status < 200 || status > 499) {
      throw new IllegalArgumentException("no status for an incoming message: " + status);
    }
    this.status = status;
    this.contentType = contentType;
    this.body = body.clone();
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

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The body's media type. */
  public String contentType() {
    return contentType;
  }

  /** The body's bytes. */
  public byte[] body() {
    return body.clone();
  }

  @Override
  public String toString() {
    return "IncomingReply[" + status + " " + contentType + ", " + body.length + " bytes]";
  }
}
