package dev.heldcall.plugin.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What the sender of an incoming message is answered. */
public final class IncomingReply {

  private final int status;
  private final String contentType;
  private final byte[] body;
  private final @Nullable Refusal refusal;

  private IncomingReply(int status, String contentType, byte[] body, @Nullable Refusal refusal) {
    this.status = status;
    this.contentType = contentType;
    this.body = body;
    this.refusal = refusal;
  }

  /**
   * A reply in the sender's own terms. A refusal that no other system prescribes the form of is a
   * {@link #refused} one.
   *
   * @param status the HTTP status, 200 to 499
   * @param contentType the body's media type
   * @param body the body's bytes
   * @throws IllegalArgumentException if the status is out of bounds
   */
  public IncomingReply(int status, String contentType, byte[] body) {
    this(status, contentType, body.clone(), null);
    if (status < 200 || status > 499) {
      throw new IllegalArgumentException("no status for an incoming message: " + status);
    }
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

  /** A refusal, answered as all errors of the API are (RFC 9457), with its kind's status. */
  public static IncomingReply refused(RefusalKind kind, String detail) {
    return refused(kind, detail, JsonNodeFactory.instance.objectNode());
  }

  /**
   * The same with more to say.
   *
   * @param detail one sentence about this occurrence
   * @param members of the problem document, beside the standard ones
   */
  public static IncomingReply refused(RefusalKind kind, String detail, ObjectNode members) {
    ObjectNode body = members.deepCopy().put("status", kind.status).put("detail", detail);
    return new IncomingReply(
        kind.status,
        "application/problem+json",
        body.toString().getBytes(StandardCharsets.UTF_8),
        new Refusal(kind, detail, members));
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The body's media type. */
  public String contentType() {
    return contentType;
  }

  /** The body's bytes; of a refusal, without what the gateway adds to it. */
  public byte[] body() {
    return body.clone();
  }

  /** What the gateway answers a problem document for; null if the body is sent as it is. */
  public @Nullable Refusal refusal() {
    return refusal;
  }

  @Override
  public String toString() {
    return "IncomingReply[" + status + " " + contentType + ", " + body.length + " bytes]";
  }

  /**
   * A refused message.
   *
   * @param detail one sentence about this occurrence
   * @param members of the problem document, beside the standard ones
   */
  public record Refusal(RefusalKind kind, String detail, ObjectNode members) {

    public Refusal {
      members = members.deepCopy();
    }
  }

  /** Why a message is refused. */
  public enum RefusalKind {
    /** It cannot be read. */
    MALFORMED(400),
    /** It is not signed by anybody who is believed. */
    UNAUTHENTICATED(401),
    /** Whoever it names may not say this. */
    FORBIDDEN(403),
    /** Nobody takes such messages here. */
    NOT_FOUND(404),
    /** It is about what no longer stands. */
    STALE(409),
    /** It is over its bound. */
    TOO_LARGE(413),
    /** It can be read, and does not count. */
    INVALID(422),
    /** It could not be taken in now: the sender tries again. */
    UNAVAILABLE(503);

    private final int status;

    RefusalKind(int status) {
      this.status = status;
    }
  }
}
