package dev.heldcall.gateway.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.api.ClusterMember;
import dev.heldcall.kernel.api.HeldCalls;
import dev.heldcall.kernel.api.NodeHealth;
import dev.heldcall.plugin.api.Role;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What the node says of itself: health, members, the contract it serves, its permit keys. */
public final class NodeResource implements Endpoint.Resource {

  private final HeldCalls calls;
  private final JsonNode openApi;

  /**
   * Serves this kernel.
   *
   * @param openApi the OpenAPI document of the whole gateway
   */
  public NodeResource(HeldCalls calls, JsonNode openApi) {
    this.calls = calls;
    this.openApi = openApi;
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/health/live", Access.OPEN, this::live).with(Load.NONE),
        Endpoint.get("/health/ready", Access.OPEN, this::ready).with(Load.NONE),
        Endpoint.get("/cluster/members", Access.of(Role.OPERATOR), this::members),
        Endpoint.get("/openapi.json", Access.OPEN, exchange -> document(exchange, openApi)),
        Endpoint.get(
            "/.well-known/jwks.json",
            Access.OPEN,
            exchange -> document(exchange, calls.permitKeys())));
  }

  private CompletionStage<Answer> live(Exchange exchange) {
    return document(exchange, JsonNodeFactory.instance.objectNode().put("status", "live"));
  }

  private CompletionStage<Answer> ready(Exchange exchange) {
    return exchange.withoutQuery(_ -> calls.health().thenApply(NodeResource::health));
  }

  private static Answer health(NodeHealth health) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("status", health.ready() ? "ready" : "not-ready");
    ObjectNode checks = node.putObject("checks");
    new TreeMap<>(health.checks()).forEach(checks::put);
    return health.ready() ? Answer.ok(node) : Answer.of(503, node).with("Retry-After", "1");
  }

  private CompletionStage<Answer> members(Exchange exchange) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode list = node.putArray("members");
    for (ClusterMember member : calls.members()) {
      ObjectNode shown = list.addObject();
      shown.put("address", member.address());
      shown.put("status", member.status());
      ArrayNode roles = shown.putArray("roles");
      member.roles().forEach(roles::add);
      shown.put("reachable", member.reachable());
      shown.put("self", member.self());
    }
    return document(exchange, node);
  }

  private static CompletionStage<Answer> document(Exchange exchange, JsonNode document) {
    return exchange.withoutQuery(_ -> CompletableFuture.completedFuture(Answer.ok(document)));
  }
}
