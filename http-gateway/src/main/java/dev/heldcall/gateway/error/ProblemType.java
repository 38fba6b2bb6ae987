package dev.heldcall.gateway.error;

import dev.heldcall.kernel.call.Problem;
import dev.heldcall.plugin.api.IncomingReply.RefusalKind;

/**
 * Every kind of refusal that the gateway answers: the slug its {@code type} ends in, its HTTP
 * status, and its title. Slugs never change once released.
 */
public enum ProblemType {
  /** The body is not JSON, or JSON that two readers would read differently. */
  INVALID_JSON("invalid-json", 400, "The body is not valid JSON"),
  /** The request line, a header or the query cannot be read. */
  BAD_REQUEST("bad-request", 400, "The request cannot be read"),
  /** No token, or one that nobody has; or a message that nobody signed who is believed. */
  UNAUTHORIZED("unauthorized", 401, "Valid credentials are needed"),
  /** Policy, a witness or a dependency refused the call. */
  DENIED("denied", 403, "The call is denied"),
  /** The principal may not do this. */
  FORBIDDEN("forbidden", 403, "Not allowed for this principal"),
  /** Nothing is there, or nothing for this principal. */
  NOT_FOUND("not-found", 404, "Not found"),
  /** The tool is not in the registry. */
  UNKNOWN_TOOL("unknown-tool", 404, "The tool is not known"),
  /** The path exists, for other methods. */
  METHOD_NOT_ALLOWED("method-not-allowed", 405, "The method is not allowed here"),
  /** The body did not arrive in time. */
  REQUEST_TIMEOUT("request-timeout", 408, "The request did not arrive in time"),
  /** Another content was proposed under this identity. */
  CALL_IDENTITY_CONFLICT(
      "call-identity-conflict", 409, "This identity belongs to a call with other content"),
  /** Bound to another generation, call or contract than now stands. */
  STALE("stale", 409, "Bound to what no longer stands"),
  /** The attestation id was used for other content. */
  ATTESTATION_CONFLICT("attestation-conflict", 409, "This attestation id belongs to other content"),
  /** The effect was dispatched, or the call ended, before. */
  TOO_LATE("too-late", 409, "Too late to change anything"),
  /** The effect was dispatched. */
  EFFECT_DISPATCHED("effect-dispatched", 409, "The effect is already dispatched"),
  /** The call is not open any more. */
  NOT_OPEN("not-open", 409, "The call is not open"),
  /** The call is not ready for a lease. */
  NOT_READY("not-ready", 409, "The call is not ready"),
  /** Another worker has the lease. */
  LEASED("leased", 409, "The lease is taken"),
  /** The lease is not the one in force. */
  LEASE_LOST("lease-lost", 409, "The lease is not in force"),
  /** The outcome is not unknown. */
  NOT_UNKNOWN("not-unknown", 409, "The outcome is not unknown"),
  /** A no-effect resolution before it can be known. */
  TOO_EARLY("too-early", 409, "Too early for this resolution"),
  /** Another resolution or outcome is on record. */
  RESOLUTION_CONFLICT("resolution-conflict", 409, "Another resolution is on record"),
  /** The body is over its bound. */
  BODY_TOO_LARGE("body-too-large", 413, "The body is too large"),
  /** The address is over its bound. */
  URI_TOO_LONG("uri-too-long", 414, "The address is too long"),
  /** The body's content type is not JSON. */
  UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", 415, "The body's content type is not JSON"),
  /** An expectation other than 100-continue. */
  EXPECTATION_FAILED("expectation-failed", 417, "The expectation cannot be met"),
  /** A number that does not arrive as it was sent. */
  NOT_I_JSON("not-i-json", 422, "The body is not I-JSON"),
  /** A field that the contract does not have. */
  UNKNOWN_FIELD("unknown-field", 422, "A field is not known"),
  /** A field that is missing or has a value that is not understood. */
  INVALID_FIELD("invalid-field", 422, "A field is missing or not valid"),
  /** The arguments break the tool's schema. */
  ARGS_SCHEMA("args-schema", 422, "The arguments break the tool's schema"),
  /** The call would wait for itself. */
  DEPENDENCY_CYCLE("dependency-cycle", 422, "The call would wait for itself"),
  /** The chain of waits would be too long. */
  DEPENDENCY_DEPTH("dependency-depth", 422, "The chain of dependencies is too deep"),
  /** A dependency is not a call of this principal. */
  UNKNOWN_DEPENDENCY("unknown-dependency", 422, "A dependency is not known"),
  /** The Idempotency-Key was used for another identity. */
  IDEMPOTENCY_KEY_REUSE(
      "idempotency-key-reuse", 422, "The Idempotency-Key belongs to another request"),
  /** An attestation that does not verify. */
  INVALID("invalid", 422, "The attestation is not valid"),
  /** The policy document does not load. */
  POLICY_DOCUMENT("policy-document", 422, "The policy document does not load"),
  /** More attestations than are kept for one call, of one witness, or refused ones. */
  TOO_MANY_REFUSALS("too-many-refusals", 429, "Too many attestations"),
  /** A bound per session, principal or node is reached. */
  TOO_MANY_CALLS("too-many-calls", 429, "Too many open calls"),
  /** More witness requests than one principal may have claimed. */
  TOO_MANY_CLAIMS("too-many-claims", 429, "Too many claimed witness requests"),
  /** The headers are over their bound. */
  HEADERS_TOO_LARGE("headers-too-large", 431, "The headers are too large"),
  /** A defect of the server. */
  INTERNAL("internal", 500, "The server failed"),
  /** A method that no path has. */
  NOT_IMPLEMENTED("not-implemented", 501, "The method is not implemented"),
  /** The journal or the policy cannot be reached now. */
  UNAVAILABLE("unavailable", 503, "Not available now"),
  /** The node has as much work under way as it takes. */
  OVERLOADED("overloaded", 503, "The node is busy"),
  /** An HTTP version that is not spoken here. */
  HTTP_VERSION("http-version-not-supported", 505, "The HTTP version is not supported");

  private static final String BASE = "https://heldcall.dev/problems/";

  private final String slug;
  private final int status;
  private final String title;

  ProblemType(String slug, int status, String title) {
    this.slug = slug;
    this.status = status;
    this.title = title;
  }

  /** The stable end of the type's URI. */
  public String slug() {
    return slug;
  }

  /** The HTTP status it is answered with. */
  public int status() {
    return status;
  }

  /** A short sentence that is the same for every occurrence. */
  public String title() {
    return title;
  }

  /** The {@code type} member. */
  public String uri() {
    return BASE + slug;
  }

  /** The kind that stands for a witness provider's refusal of a message. */
  public static ProblemType of(RefusalKind kind) {
    return switch (kind) {
      case MALFORMED -> BAD_REQUEST;
      case UNAUTHENTICATED -> UNAUTHORIZED;
      case FORBIDDEN -> FORBIDDEN;
      case NOT_FOUND -> NOT_FOUND;
      case STALE -> STALE;
      case TOO_LARGE -> BODY_TOO_LARGE;
      case INVALID -> INVALID;
      case UNAVAILABLE -> UNAVAILABLE;
    };
  }

  /** The kind that stands for a refusal of the kernel. */
  public static ProblemType of(Problem problem) {
    return switch (problem) {
      case NOT_FOUND -> NOT_FOUND;
      case FORBIDDEN -> FORBIDDEN;
      case UNKNOWN_TOOL -> UNKNOWN_TOOL;
      case ARGS_SCHEMA -> ARGS_SCHEMA;
      case INVALID_FIELD -> INVALID_FIELD;
      case DEPENDENCY_CYCLE -> DEPENDENCY_CYCLE;
      case DEPENDENCY_DEPTH -> DEPENDENCY_DEPTH;
      case UNKNOWN_DEPENDENCY -> UNKNOWN_DEPENDENCY;
      case CALL_IDENTITY_CONFLICT -> CALL_IDENTITY_CONFLICT;
      case IDEMPOTENCY_KEY_REUSE -> IDEMPOTENCY_KEY_REUSE;
      case STALE -> STALE;
      case INVALID -> INVALID;
      case ATTESTATION_CONFLICT -> ATTESTATION_CONFLICT;
      case TOO_MANY_REFUSALS -> TOO_MANY_REFUSALS;
      case TOO_LATE -> TOO_LATE;
      case EFFECT_DISPATCHED -> EFFECT_DISPATCHED;
      case NOT_OPEN -> NOT_OPEN;
      case NOT_READY -> NOT_READY;
      case LEASED -> LEASED;
      case LEASE_LOST -> LEASE_LOST;
      case NOT_UNKNOWN -> NOT_UNKNOWN;
      case TOO_EARLY -> TOO_EARLY;
      case RESOLUTION_CONFLICT -> RESOLUTION_CONFLICT;
      case POLICY_DOCUMENT -> POLICY_DOCUMENT;
      case TOO_MANY_CALLS -> TOO_MANY_CALLS;
      case TOO_MANY_CLAIMS -> TOO_MANY_CLAIMS;
      case UNAVAILABLE -> UNAVAILABLE;
    };
  }
}
