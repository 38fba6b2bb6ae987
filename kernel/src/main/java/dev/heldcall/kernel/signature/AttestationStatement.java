package dev.heldcall.kernel.signature;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.plugin.api.Attestation;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a signature must say for it to bind an attestation to its call: every field of the
 * attestation, and the call's id. It is spelt in two ways: as the text that a detached JWS is over,
 * and as the predicate of an in-toto statement.
 */
public final class AttestationStatement {

  /** An in-toto statement's type, version 1. */
  public static final String STATEMENT_TYPE = "https://in-toto.io/Statement/v1";

  /** The media type of the envelope's payload. */
  public static final String PAYLOAD_TYPE = "application/vnd.in-toto+json";

  /** The predicate's type: the predicate's fields are those of {@link #predicate}. */
  public static final String PREDICATE_TYPE = "https://heldcall.dev/attestation/v1";

  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private static final Set<String> TIMES = Set.of("issued_at", "expires_at");

  /** What may be absent, there as here. */
  private static final List<String> OPTIONAL = List.of("reason", "evidence");

  private AttestationStatement() {}

  /**
   * The attestation's body without its signature, and {@code held_id}; what it leaves out is left
   * out, and times are in UTC with exactly three digits of fraction. Its RFC 8785 form is what a
   * detached JWS is over.
   */
  public static ObjectNode body(String heldId, Attestation attestation) {
    ObjectNode body = predicate(heldId, attestation);
    body.put("call_digest", attestation.callDigest().value());
    return body;
  }

  /** The same without the call's digest, which is a statement's subject. */
  public static ObjectNode predicate(String heldId, Attestation attestation) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.put("held_id", heldId);
    body.put("generation", attestation.generation());
    body.put("contract_digest", attestation.contractDigest().value());
    body.put("attestation_id", attestation.attestationId());
    body.put("witness_class", attestation.witnessClass());
    body.put("decision", attestation.decision().wireName());
    body.put("issued_at", MILLIS.format(attestation.issuedAt()));
    body.put("expires_at", MILLIS.format(attestation.expiresAt()));
    if (attestation.reason() != null) {
      body.put("reason", attestation.reason());
    }
    if (attestation.evidence() != null) {
      body.set("evidence", attestation.evidence());
    }
    return body;
  }

  /** What a detached JWS is over. */
  static byte[] detachedPayload(String heldId, Attestation attestation) throws SignatureProblem {
    if (!wholeMillis(attestation.issuedAt()) || !wholeMillis(attestation.expiresAt())) {
      throw new SignatureProblem(
          "the times of an attestation with a detached signature are in whole milliseconds");
    }
    return CanonicalJson.bytes(body(heldId, attestation));
  }

  private static boolean wholeMillis(Instant time) {
    return time.equals(time.truncatedTo(ChronoUnit.MILLIS));
  }

  /**
   * Checks that the statement is about exactly this attestation on exactly this call.
   *
   * @throws SignatureProblem naming the first thing that is missing or another
   */
  static void check(ObjectNode statement, String heldId, Attestation attestation)
      throws SignatureProblem {
    demand(STATEMENT_TYPE, statement.path("_type"), "_type");
    demand(PREDICATE_TYPE, statement.path("predicateType"), "predicateType");
    JsonNode subject = statement.path("subject");
    if (!subject.isArray() || subject.size() != 1) {
      throw new SignatureProblem("the statement has not exactly one subject");
    }
    String digest = attestation.callDigest().value().substring("sha256:".length());
    demand(digest, subject.get(0).path("digest").path("sha256"), "subject digest");
    JsonNode said = statement.path("predicate");
    if (!said.isObject()) {
      throw new SignatureProblem("the statement has no predicate");
    }
    ObjectNode expected = predicate(heldId, attestation);
    for (String field : OPTIONAL) {
      if (!expected.has(field) && said.hasNonNull(field)) {
        throw new SignatureProblem(
            "the statement's predicate has a " + field + ", and the attestation has none");
      }
    }
    JsonNode call = said.get("call_digest");
    if (call != null) {
      demand(attestation.callDigest().value(), call, "predicate call_digest");
    }
    for (Map.Entry<String, JsonNode> each : expected.properties()) {
      field(each.getKey(), each.getValue(), said.get(each.getKey()), attestation);
    }
  }

  private static void field(
      String name, JsonNode expected, @Nullable JsonNode said, Attestation attestation)
      throws SignatureProblem {
    if (said == null || said.isNull()) {
      throw new SignatureProblem("the statement's predicate has no " + name);
    }
    boolean same =
        TIMES.contains(name)
            ? time(name, attestation).equals(time(said))
            : CanonicalJson.text(expected).equals(CanonicalJson.text(said));
    if (!same) {
      throw new SignatureProblem(
          "the statement's predicate is about another " + name + " than the attestation's");
    }
  }

  private static Instant time(String name, Attestation attestation) {
    return name.equals("issued_at") ? attestation.issuedAt() : attestation.expiresAt();
  }

  private static @Nullable Instant time(JsonNode said) {
    try {
      return said.isTextual()
          ? OffsetDateTime.parse(said.textValue().toUpperCase(Locale.ROOT)).toInstant()
          : null;
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static void demand(String expected, JsonNode said, String what) throws SignatureProblem {
    if (!said.isTextual() || !said.textValue().equals(expected)) {
      throw new SignatureProblem("the statement's " + what + " is not '" + expected + "'");
    }
  }
}
