package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.plugin.api.VerdictKind;
import org.jspecify.annotations.Nullable;

/**
 * Renders which rules made a verdict, and what each said. A ruling keeps the rules that decided;
 * those that matched and were overruled are not in it.
 */
final class TraceJson {

  /** The layer of what the kernel itself adds to what rules say. */
  private static final String KERNEL = "kernel";

  private TraceJson() {}

  /** The trace of a ruling; empty before there is one. */
  static ArrayNode of(@Nullable Ruling ruling) {
    ArrayNode items = JsonNodeFactory.instance.arrayNode();
    if (ruling != null) {
      for (Ruling.Reason reason : ruling.reasons()) {
        items
            .addObject()
            .put("layer", reason.layer())
            .put("rule", reason.rule())
            .put("verdict", said(ruling, reason).wireName())
            .put("message", reason.message());
      }
    }
    return items;
  }

  /**
   * What the reason's rule said. Only rules of the ruling's own verdict give reasons, but for one
   * case: where the contracts of rules that ask for witnesses are too large when joined, it is the
   * kernel that denies, first, and the rules after it asked for witnesses.
   */
  private static VerdictKind said(Ruling ruling, Ruling.Reason reason) {
    boolean kernelDenied =
        ruling.verdict() == VerdictKind.DENY
            && ruling.reasons().getFirst().layer().equals(KERNEL)
            && !reason.layer().equals(KERNEL);
    return kernelDenied ? VerdictKind.REQUIRE_WITNESS : ruling.verdict();
  }
}
