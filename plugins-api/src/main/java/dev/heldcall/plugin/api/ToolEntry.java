package dev.heldcall.plugin.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A tool as the registry has it (CONFIG.md, tools).
 *
 * @param name the tool's name
 * @param executor who runs it
 * @param url where an HTTP tool listens, or null for the others
 * @param method the HTTP method
 * @param capability what the proposer must hold
 * @param timeout how long a dispatch may take; the lease's deadline is its dispatch plus this
 * @param idempotent whether the tool honours {@code Idempotency-Key}
 * @param keyRetention for how long after the first dispatch an idempotent tool remembers a key
 * @param readBackUrl URL template with {@code {idempotency_key}}, or null if it has no read-back
 * @param schema JSON Schema 2020-12 of the arguments, or null for any
 * @param resultSchema JSON Schema 2020-12 of the result, or null for any
 * @param maxResultBytes results over this are quarantined
 * @param disclosure what others than the proposer see of the arguments
 */
public record ToolEntry(
    String name,
    ExecutorKind executor,
    @Nullable String url,
    String method,
    String capability,
    Duration timeout,
    boolean idempotent,
    Duration keyRetention,
    @Nullable String readBackUrl,
    @Nullable JsonNode schema,
    @Nullable JsonNode resultSchema,
    long maxResultBytes,
    DisclosureRule disclosure) {

  /** A tool whose arguments are shown whole. */
  public ToolEntry(
      String name,
      ExecutorKind executor,
      @Nullable String url,
      String method,
      String capability,
      Duration timeout,
      boolean idempotent,
      Duration keyRetention,
      @Nullable String readBackUrl,
      @Nullable JsonNode schema,
      @Nullable JsonNode resultSchema,
      long maxResultBytes) {
    this(
        name,
        executor,
        url,
        method,
        capability,
        timeout,
        idempotent,
        keyRetention,
        readBackUrl,
        schema,
        resultSchema,
        maxResultBytes,
        DisclosureRule.FULL);
  }
}
