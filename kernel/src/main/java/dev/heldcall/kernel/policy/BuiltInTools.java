package dev.heldcall.kernel.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.ToolEntry;
import dev.heldcall.plugin.api.VerdictKind;
import java.time.Duration;
import java.util.List;

/** The tools that the kernel runs itself, known without configuration. */
public final class BuiltInTools {

  /** Replaces an organization's policy document; arguments {@code base_epoch}, {@code document}. */
  public static final String POLICY_CHANGE = "heldcall.policy.change";

  /** What a proposer of {@link #POLICY_CHANGE} must hold. */
  public static final String POLICY_CHANGE_CAPABILITY = "policy.change";

  private BuiltInTools() {}

  static List<ToolEntry> entries() {
    return List.of(
        new ToolEntry(
            POLICY_CHANGE,
            ExecutorKind.KERNEL,
            null,
            "POST",
            POLICY_CHANGE_CAPABILITY,
            Duration.ofSeconds(10),
            false,
            Duration.ofHours(24),
            null,
            policyChangeSchema(),
            null,
            1L << 20));
  }

  /**
   * What is asked of a policy change where the floor names no rule of its own for it: a person. Its
   * own document, so that a floor's default still counts beside it.
   */
  static PolicyDocument policyChangeFloor() {
    return new PolicyDocument(
        List.of(
            new PolicyRule(
                "heldcall-policy-change",
                List.of(new ToolPattern(POLICY_CHANGE)),
                null,
                VerdictKind.REQUIRE_WITNESS,
                Contract.of("human"),
                "a policy change needs a person",
                DisclosureRule.FULL)),
        VerdictKind.DEFER,
        JsonNodeFactory.instance.objectNode());
  }

  private static JsonNode policyChangeSchema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    properties.putObject("base_epoch").put("type", "integer").put("minimum", 0);
    properties.putObject("document").put("type", "object");
    schema.putArray("required").add("base_epoch").add("document");
    schema.put("additionalProperties", false);
    return schema;
  }
}
