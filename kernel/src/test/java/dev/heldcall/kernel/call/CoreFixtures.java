package dev.heldcall.kernel.call;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.heldcall.kernel.policy.PolicyException;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.ToolEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** People, tools and policies for tests of the core. */
public final class CoreFixtures {

  /** When every test begins. */
  public static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  public static final Digest PLUGINS = new Digest("sha256:" + "0".repeat(64));
  public static final Digest OTHER_DIGEST = new Digest("sha256:" + "f".repeat(64));

  public static final Set<String> CAPABILITIES = Set.of("use", "policy.change");

  public static final Principal AGENT = principal("agent-1", Set.of(Role.AGENT));
  public static final Principal OTHER_AGENT = principal("agent-2", Set.of(Role.AGENT));
  public static final Principal OPERATOR = principal("operator", Set.of(Role.OPERATOR));
  public static final Principal WORKER = principal("worker-1", Set.of(Role.WORKER));
  public static final Principal OWNER = principal("owner", Set.of(Role.POLICY_OWNER));
  public static final Principal ALICE = witness("alice", "human");
  public static final Principal BOB = witness("bob", "human");
  public static final Principal CAROL = witness("carol", "human");
  public static final Principal CI = witness("ci", "ci");
  public static final Principal COMPLIANCE = witness("compliance", "compliance");
  public static final Principal STRANGER =
      new Principal(
          "alice",
          "rival",
          "default",
          Set.of(Role.AGENT, Role.WITNESS, Role.OPERATOR),
          new TreeSet<>(Set.of("human")),
          new TreeSet<>(CAPABILITIES),
          null,
          null);

  /** A dispatch that is neither read back nor repeated. */
  public static final String BLIND = "blind";

  /** One that can be read back. */
  public static final String TRANSFER = "transfer";

  /** One whose tool honours its idempotency key for an hour. */
  public static final String CHARGE = "charge";

  /** One that can be read back and repeated. */
  public static final String POST = "post";

  /** One that the client runs. */
  public static final String DESK = "desk";

  /** One that the client runs and may run again with the same key. */
  public static final String DESK_AGAIN = "desk_again";

  /** One whose result has a schema and a bound of 64 bytes. */
  public static final String REPORT = "report";

  private static final ObjectMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  public static final Map<String, ToolEntry> TOOLS = tools();

  /** Everything asks for one person, for ten minutes. */
  public static final PolicyLayers HUMAN = demand("human");

  /** Everything is allowed. */
  public static final PolicyLayers ALLOW =
      layers(rule("all", "ALLOW", null), "{'default': 'DEFER'}", TOOLS);

  /** Everything is denied. */
  public static final PolicyLayers DENY =
      layers(rule("none", "DENY", null), "{'default': 'DEFER'}", TOOLS);

  private CoreFixtures() {}

  /** Reads JSON in which {@code '} stands for the quotation mark. */
  public static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  public static Principal principal(String id, Set<Role> roles) {
    return principal(id, roles, null);
  }

  public static Principal principal(String id, Set<Role> roles, @Nullable String onBehalfOf) {
    return new Principal(
        id,
        "acme",
        "default",
        roles,
        new TreeSet<>(),
        new TreeSet<>(CAPABILITIES),
        onBehalfOf,
        null);
  }

  public static Principal witness(String id, String witnessClass) {
    return witness(id, witnessClass, null, null);
  }

  public static Principal witness(
      String id, String witnessClass, @Nullable String onBehalfOf, @Nullable String family) {
    return new Principal(
        id,
        "acme",
        "default",
        Set.of(Role.WITNESS),
        new TreeSet<>(Set.of(witnessClass)),
        new TreeSet<>(),
        onBehalfOf,
        family);
  }

  /** Everything asks for the rule, for ten minutes. */
  public static PolicyLayers demand(String rule) {
    return demand(rule, "{}");
  }

  /** Everything asks for the rule, with these further fields of the contract. */
  public static PolicyLayers demand(String rule, String contractFields) {
    return layers(demandRule(rule, contractFields), "{'default': 'DEFER'}", TOOLS);
  }

  /** The rule with which everything asks for {@code rule}. */
  public static String demandRule(String rule, String contractFields) {
    com.fasterxml.jackson.databind.node.ObjectNode contract =
        (com.fasterxml.jackson.databind.node.ObjectNode) json(contractFields);
    contract.put("rule", rule);
    if (!contract.has("expires_s")) {
      contract.put("expires_s", 600);
    }
    return rule("all", "REQUIRE_WITNESS", contract.toString());
  }

  static String rule(String id, String verdict, @Nullable String contract) {
    return "{'id': '"
        + id
        + "', 'tools': ['*'], 'verdict': '"
        + verdict
        + "'"
        + (contract == null ? "" : ", 'contract': " + contract)
        + "}";
  }

  /** A floor of the rules, an organization's document, and tools. */
  public static PolicyLayers layers(
      String floorRules, @Nullable String organization, Map<String, ToolEntry> tools) {
    try {
      return PolicyLayers.compile(
          json("{'rules': [" + floorRules + "], 'default': 'DEFER'}"),
          organization == null ? null : json(organization),
          tools);
    } catch (PolicyException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The layers as a read that began after the command found them. */
  public static PolicyInForce inForce(PolicyLayers layers, long epoch) {
    return new PolicyInForce(
        layers,
        epoch,
        true,
        true,
        ref -> new TreeSet<>(CAPABILITIES),
        CoreFixtures::roster,
        KeyStandings.ALL_STAND);
  }

  static List<PrincipalRef> roster(String witnessClass) {
    return List.of(ALICE, BOB, CAROL, CI, COMPLIANCE).stream()
        .filter(each -> each.witnessClasses().contains(witnessClass))
        .map(Principal::ref)
        .toList();
  }

  private static Map<String, ToolEntry> tools() {
    Map<String, ToolEntry> tools = new LinkedHashMap<>();
    String back = "http://tool.example/{idempotency_key}";
    for (ToolEntry each :
        List.of(
            tool(BLIND, ExecutorKind.HTTP, false, null),
            tool(TRANSFER, ExecutorKind.HTTP, false, back),
            tool(CHARGE, ExecutorKind.HTTP, true, null),
            tool(POST, ExecutorKind.HTTP, true, back),
            tool(DESK, ExecutorKind.CLIENT, false, null),
            tool(DESK_AGAIN, ExecutorKind.CLIENT, true, null),
            report())) {
      tools.put(each.name(), each);
    }
    return Map.copyOf(tools);
  }

  static ToolEntry tool(
      String name, ExecutorKind executor, boolean idempotent, @Nullable String readBack) {
    return new ToolEntry(
        name,
        executor,
        executor == ExecutorKind.HTTP ? "http://tool.example/" + name : null,
        "POST",
        "use",
        Duration.ofSeconds(5),
        idempotent,
        Duration.ofHours(1),
        readBack,
        json("{'type': 'object'}"),
        null,
        1L << 20);
  }

  /** The tool at another address: another tool than the one that was witnessed. */
  public static Map<String, ToolEntry> toolsElsewhere(String name) {
    ToolEntry was = known(name);
    return with(was, was.url() + "/elsewhere", was.schema());
  }

  /** The tool with another schema of its arguments. */
  public static Map<String, ToolEntry> toolsWithSchema(String name, String schema) {
    ToolEntry was = known(name);
    return with(was, was.url(), json(schema));
  }

  private static ToolEntry known(String name) {
    ToolEntry known = TOOLS.get(name);
    if (known == null) {
      throw new IllegalArgumentException(name);
    }
    return known;
  }

  private static Map<String, ToolEntry> with(
      ToolEntry was, @Nullable String url, @Nullable JsonNode schema) {
    Map<String, ToolEntry> tools = new LinkedHashMap<>(TOOLS);
    tools.put(
        was.name(),
        new ToolEntry(
            was.name(),
            was.executor(),
            url,
            was.method(),
            was.capability(),
            was.timeout(),
            was.idempotent(),
            was.keyRetention(),
            was.readBackUrl(),
            schema,
            was.resultSchema(),
            was.maxResultBytes()));
    return tools;
  }

  private static ToolEntry report() {
    return new ToolEntry(
        REPORT,
        ExecutorKind.HTTP,
        "http://tool.example/report",
        "POST",
        "use",
        Duration.ofSeconds(5),
        false,
        Duration.ofHours(1),
        null,
        null,
        json("{'type': 'object', 'required': ['id']}"),
        64);
  }
}
