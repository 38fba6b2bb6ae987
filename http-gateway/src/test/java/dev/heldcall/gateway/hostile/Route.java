package dev.heldcall.gateway.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.product.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * A route of the served OpenAPI document, and a request for it that is right.
 *
 * @param method in upper case
 * @param template the path, its variables in braces
 */
record Route(String method, String template) {

  private static final String DIGEST = "sha256:" + "a".repeat(64);

  /** All routes there are. */
  static List<Route> all() throws IOException {
    List<Route> routes = new ArrayList<>();
    try (InputStream in = Route.class.getResourceAsStream("/openapi.json")) {
      byte[] bytes = Objects.requireNonNull(in).readAllBytes();
      JsonNode paths = Json.tree(new String(bytes, StandardCharsets.UTF_8)).path("paths");
      paths
          .fieldNames()
          .forEachRemaining(
              path ->
                  paths
                      .path(path)
                      .fieldNames()
                      .forEachRemaining(
                          method -> routes.add(new Route(method.toUpperCase(Locale.ROOT), path))));
    }
    return List.copyOf(routes);
  }

  boolean takesBody() {
    return method.equals("POST");
  }

  /** The path for this call. */
  String path(String heldId) {
    return template
        .replace("{held_id}", heldId)
        .replace("{attestation_id}", "a-1")
        .replace("{claim_id}", "wc_1")
        .replace("{session_id}", "h-1")
        .replace("{delivery_id}", heldId + ".1")
        .replace("{org}", "other")
        .replace("{provider}", "sage");
  }

  /** A body that the route takes. */
  ObjectNode body(SplittableRandom random) {
    String last = template.substring(template.lastIndexOf('/') + 1);
    return switch (last) {
      case "tool-calls" -> proposal(random);
      case "attestations" -> attestation();
      case "edit" -> Json.of("generation", 1, "args", Json.of("rule", "human", "n", 1));
      case "claim" -> Json.of("class", "human", "limit", 5, "lease_ms", 1_000);
      case "lease" -> Json.of("generation", 1, "worker", "w-1");
      case "outcome" ->
          Json.of("lease_id", "l-1", "outcome", "succeeded", "content", Json.of("a", 1));
      case "resolution" -> Json.of("outcome", "effect", "evidence", Json.of("a", 1));
      case "{org}" ->
          Json.of("call_id", "p-1", "base_epoch", 1, "document", Json.of("rules", List.of()));
      default -> Json.of("reason", "because");
    };
  }

  private static ObjectNode proposal(SplittableRandom random) {
    String[] tools = {"act", "look", "again", "by_client", "no_tool"};
    String[] rules = {"none", "human", "two", "no-rule"};
    return Json.of(
        "session_id",
        "h-" + random.nextInt(400),
        "turn_id",
        "t-" + random.nextInt(5),
        "call_id",
        "c-" + random.nextInt(1_000_000),
        "boundary",
        "tool",
        "tool",
        tools[random.nextInt(tools.length)],
        "args",
        Json.of("rule", rules[random.nextInt(rules.length)], "late", 1, "list", List.of(1, 2)),
        "continuation_ref",
        "ckpt://h/1",
        "depends_on",
        List.of(),
        "preferences",
        Json.of("wait_ms", 0, "timeout_s", 600, "on_disconnect", "keep"));
  }

  private static ObjectNode attestation() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return Json.of(
        "attestation_id",
        "a-1",
        "generation",
        1,
        "call_digest",
        DIGEST,
        "contract_digest",
        DIGEST,
        "witness_class",
        "human",
        "decision",
        "approve",
        "reason",
        "looks right",
        "evidence",
        Json.of("type", "note", "digest", DIGEST, "uri", "https://example.com/1"),
        "issued_at",
        now.toString(),
        "expires_at",
        now.plus(1, ChronoUnit.HOURS).toString());
  }
}
