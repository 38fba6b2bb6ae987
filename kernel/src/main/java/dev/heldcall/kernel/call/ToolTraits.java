package dev.heldcall.kernel.call;

import dev.heldcall.plugin.api.ExecutorKind;

/**
 * What of a tool's entry says which work can be enabled.
 *
 * @param executor who runs it
 * @param readBack whether an effect can be read back
 * @param idempotent whether a dispatch can be repeated with the same key
 */
public record ToolTraits(ExecutorKind executor, boolean readBack, boolean idempotent) {

  /** Content of a boundary other than tool: the kernel releases it, and can always say whether. */
  static final ToolTraits GATE = new ToolTraits(ExecutorKind.KERNEL, true, true);
}
