package dev.heldcall.kernel.execute;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.kernel.call.CallSpec;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.lease.FencingToken;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.ExecutorKind;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.ToolEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Leases and what belongs to them, for tests. */
final class Orders {

  static final String HELD_ID = "hc_abcdefghijklmnopqrstuvwxyz";
  static final Digest NONE = Digests.sha256(new byte[0]);

  static final Principal AGENT =
      new Principal(
          "agent-1",
          "acme",
          "default",
          Set.of(Role.AGENT),
          new TreeSet<>(),
          new TreeSet<>(),
          null,
          null);

  private Orders() {}

  static JsonNode transfer() {
    return CanonicalJson.canonical(
        JsonNodeFactory.instance
            .objectNode()
            .put("to", "acct-ü")
            .put("amount_minor", 125_000)
            .put("rate", 1.50));
  }

  static Generation generation(String tool, JsonNode args) {
    Digest argsDigest = Digests.ofCanonical(args);
    return new Generation(
        1,
        tool,
        args,
        argsDigest,
        Digests.call(HELD_ID, 1, Boundary.TOOL, tool, argsDigest, AGENT.ref()),
        null,
        Instant.EPOCH);
  }

  static Lease lease(
      Generation generation, ExecutorKind executor, Instant grantedAt, Duration timeout) {
    Instant deadline = grantedAt.plus(timeout);
    return new Lease(
        "ls-1",
        HELD_ID,
        new FencingToken(generation.number(), 1),
        executor,
        AGENT.ref(),
        null,
        null,
        generation.callDigest(),
        NONE,
        NONE,
        3,
        NONE,
        HELD_ID + "." + generation.number(),
        grantedAt,
        deadline,
        deadline.plusSeconds(10),
        grantedAt);
  }

  static CallSpec spec(Boundary boundary) {
    return new CallSpec(
        HELD_ID,
        AGENT,
        "s-1",
        "t-1",
        "c-1",
        boundary,
        null,
        List.of(),
        null,
        "s-1",
        Preferences.NONE,
        NONE,
        NONE,
        Instant.EPOCH);
  }

  static ToolEntry tool(String method, @Nullable String url, @Nullable String readBackUrl) {
    return new ToolEntry(
        "money_transfer",
        ExecutorKind.HTTP,
        url,
        method,
        "payments.write",
        Duration.ofSeconds(10),
        false,
        Duration.ofHours(24),
        readBackUrl,
        null,
        null,
        1L << 20);
  }

  static DispatchOrder order(
      ExecutorKind executor, Boundary boundary, String tool, JsonNode args, long persistedNanos) {
    Generation generation = generation(tool, args);
    return new DispatchOrder(
        lease(generation, executor, Instant.now(), Duration.ofSeconds(10)),
        spec(boundary),
        generation,
        null,
        () -> "permit",
        persistedNanos);
  }
}
