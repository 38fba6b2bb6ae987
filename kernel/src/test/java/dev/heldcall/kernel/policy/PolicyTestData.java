package dev.heldcall.kernel.policy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.witness.RuleParser;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.ToolEntry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Calls, principals, tools and documents for the tests of this package. */
final class PolicyTestData {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES, JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
          .build();

  private PolicyTestData() {}

  /** Reads relaxed JSON: single quotes, unquoted names. */
  static JsonNode json(String text) {
    try {
      return CanonicalJson.canonical(JSON.readTree(text));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  static Principal agent(String... capabilities) {
    return new Principal(
        "agent-1",
        "acme",
        "default",
        Set.of(Role.AGENT),
        new TreeSet<>(),
        new TreeSet<>(List.of(capabilities)),
        null,
        null);
  }

  static Principal policyOwner() {
    return new Principal(
        "policy",
        "acme",
        "default",
        Set.of(Role.POLICY_OWNER),
        new TreeSet<>(),
        new TreeSet<>(Set.of("policy.change")),
        null,
        null);
  }

  static ToolEntry tool(String name, @Nullable String schema) {
    return new ToolEntry(
        name,
        ExecutorKind.HTTP,
        "http://127.0.0.1:9090/" + name,
        "POST",
        "use." + name,
        Duration.ofSeconds(5),
        false,
        Duration.ofHours(24),
        null,
        schema == null ? null : json(schema),
        null,
        1_024);
  }

  static Map<String, ToolEntry> tools() {
    return Map.of("pay", tool("pay", null), "git.push", tool("git.push", null));
  }

  static CallUnderPolicy call(String tool, String args) {
    return call(tool, args, null, null);
  }

  static CallUnderPolicy call(
      String tool, String args, @Nullable String require, @Nullable Long timeoutSeconds) {
    return call(Boundary.TOOL, tool, args, agent("use." + tool), require, timeoutSeconds);
  }

  static CallUnderPolicy call(
      Boundary boundary,
      String tool,
      String args,
      Principal principal,
      @Nullable String require,
      @Nullable Long timeoutSeconds) {
    return new CallUnderPolicy(
        "hc_1",
        1,
        boundary,
        tool,
        json(args),
        principal,
        "s-1",
        "t-1",
        "c-1",
        require == null ? null : RuleParser.parse(require),
        timeoutSeconds);
  }

  static PolicyLayers layers(String floor, @Nullable String organization) {
    try {
      return PolicyLayers.compile(
          json(floor), organization == null ? null : json(organization), tools());
    } catch (PolicyException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
