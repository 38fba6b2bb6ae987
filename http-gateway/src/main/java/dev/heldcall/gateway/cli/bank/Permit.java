package dev.heldcall.gateway.cli.bank;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/**
 * What a permit says, once its signature was checked (the effect protocol, step 4).
 *
 * @param heldId the call
 * @param generation its generation, from 1
 * @param tool the tool's name
 * @param callDigest the exact call
 * @param argsDigest the SHA-256 of the request's body
 * @param fence orders the dispatches of one idempotency key
 * @param idempotencyKey the same for every dispatch of one generation
 * @param leaseId the dispatch
 * @param deadline no effect may be made from then on
 * @param expiresAt when the token itself ends, seconds' precision
 */
public record Permit(
    String heldId,
    int generation,
    String tool,
    String callDigest,
    String argsDigest,
    Fence fence,
    String idempotencyKey,
    String leaseId,
    Instant deadline,
    Instant expiresAt) {

  /**
   * A fencing token, {@code generation.attempt}.
   *
   * @param generation from 1
   * @param attempt from 1
   */
  public record Fence(int generation, int attempt) implements Comparable<Fence> {

    static Fence parse(String text) {
      String[] parts = text.split("\\.", -1);
      if (parts.length != 2) {
        throw new IllegalArgumentException("fencing_token is not generation.attempt");
      }
      return new Fence(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    }

    @Override
    public int compareTo(Fence other) {
      int byGeneration = Integer.compare(generation, other.generation);
      return byGeneration != 0 ? byGeneration : Integer.compare(attempt, other.attempt);
    }

    @Override
    public String toString() {
      return generation + "." + attempt;
    }
  }

  /**
   * Reads the claims.
   *
   * @throws IllegalArgumentException if one is missing or malformed, or another issuer's
   */
  static Permit of(JsonNode claims) {
    if (!(claims instanceof ObjectNode object)) {
      throw new IllegalArgumentException("the permit's claims are not an object");
    }
    if (!"heldcall".equals(text(object, "iss"))) {
      throw new IllegalArgumentException("the permit is of another issuer");
    }
    number(object, "iat");
    try {
      return new Permit(
          text(object, "held_id"),
          Math.toIntExact(number(object, "generation")),
          text(object, "tool"),
          text(object, "call_digest"),
          text(object, "args_digest"),
          Fence.parse(text(object, "fencing_token")),
          text(object, "idempotency_key"),
          text(object, "lease_id"),
          Instant.parse(text(object, "deadline")),
          Instant.ofEpochSecond(number(object, "exp")));
    } catch (DateTimeParseException | ArithmeticException e) {
      throw new IllegalArgumentException("a malformed claim: " + e.getMessage(), e);
    }
  }

  private static String text(ObjectNode claims, String name) {
    JsonNode value = claims.get(name);
    if (value == null || !value.isTextual()) {
      throw new IllegalArgumentException("the permit has no text claim '" + name + "'");
    }
    return value.textValue();
  }

  private static long number(ObjectNode claims, String name) {
    JsonNode value = claims.get(name);
    if (value == null || !value.canConvertToExactIntegral()) {
      throw new IllegalArgumentException("the permit has no number claim '" + name + "'");
    }
    return value.longValue();
  }
}
