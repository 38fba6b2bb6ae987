package dev.heldcall.kernel.policy;

import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.VerdictKind;
import org.jspecify.annotations.Nullable;

/**
 * The first word in every adjudication: default-deny. A tool call needs a registered tool and a
 * proposer who holds its capability; no layer can give what is missing here.
 */
final class CapabilityFloor {

  static final String LAYER = "capability-floor";

  private CapabilityFloor() {}

  /** Why the call is denied, or null if it may go on to the layers. */
  static @Nullable RuleMatch check(CallUnderPolicy call, ToolBook tools) {
    if (call.boundary() != Boundary.TOOL) {
      return null;
    }
    ToolBook.Tool tool = tools.find(call.tool());
    if (tool == null) {
      return denied("the tool '" + call.tool() + "' is not registered");
    }
    String capability = tool.entry().capability();
    if (!call.principal().capabilities().contains(capability)) {
      return denied(
          "'" + call.principal().id() + "' does not hold the capability '" + capability + "'");
    }
    if (call.tool().equals(BuiltInTools.POLICY_CHANGE)
        && !call.principal().has(Role.POLICY_OWNER)) {
      return denied("only a policy-owner proposes a policy change");
    }
    return null;
  }

  private static RuleMatch denied(String message) {
    return new RuleMatch(LAYER, "", VerdictKind.DENY, null, message);
  }
}
