package dev.heldcall.plugin.api.tck;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderContract.OnNestedRefused;
import dev.heldcall.plugin.api.Role;
import dev.heldcall.plugin.api.WitnessRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Requests and contracts as a node makes them. */
public final class SampleRequests {

  /** When they are asked. */
  public static final Instant NOW = Instant.parse("2026-12-01T12:00:00.123456789Z");

  /** The class that is asked for. */
  public static final String WITNESS_CLASS = "facts";

  /** How long attestations count. */
  public static final Duration VALIDITY = Duration.ofMinutes(47);

  /** The most that is read of one answer. */
  public static final int MAX_ANSWER_BYTES = 64 * 1024;

  private SampleRequests() {}

  /**
   * A request of a call.
   *
   * @param args its arguments
   * @param disclosure how much of them is shown; a summary has the kinds of the fields in place of
   *     them
   */
  public static WitnessRequest of(JsonNode args, Disclosure disclosure) {
    return switch (disclosure) {
      case FULL -> request(args, disclosure, List.of());
      case SUMMARY -> request(kinds(args), disclosure, pointers(args));
      case DIGEST -> request(null, disclosure, List.of(""));
    };
  }

  private static WitnessRequest request(
      @Nullable JsonNode args, Disclosure disclosure, List<String> leftOut) {
    return new WitnessRequest(
        "hc_01JDZ8Q6T4.3.sample",
        "hc_01JDZ8Q6T4",
        3,
        digest("1"),
        digest("2"),
        WITNESS_CLASS,
        Boundary.TOOL,
        "money_transfer",
        digest("3"),
        args,
        disclosure,
        leftOut,
        new PrincipalRef("acme", "default", "agent-7"),
        "family-a",
        NOW.minusSeconds(90),
        NOW.plusSeconds(7200),
        "https://heldcall.example/inbox/hc_01JDZ8Q6T4");
  }

  private static ObjectNode kinds(JsonNode args) {
    ObjectNode kinds = JsonNodeFactory.instance.objectNode();
    args.properties()
        .forEach(each -> kinds.put(each.getKey(), "…" + each.getValue().getNodeType().name()));
    return kinds;
  }

  private static List<String> pointers(JsonNode args) {
    List<String> pointers = new ArrayList<>();
    args.fieldNames()
        .forEachRemaining(name -> pointers.add("/" + name.replace("~", "~0").replace("/", "~1")));
    return pointers;
  }

  /** What an operator lets a provider of a kind be. */
  public static ProviderContract contract(String kind, boolean repeatable, Duration timeout) {
    Principal identity =
        new Principal(
            "sample-bot",
            "acme",
            "default",
            Set.of(Role.WITNESS),
            new TreeSet<>(Set.of(WITNESS_CLASS)),
            new TreeSet<>(),
            null,
            "family-b");
    return new ProviderContract(
        "sample",
        kind,
        WITNESS_CLASS,
        identity,
        0,
        timeout,
        null,
        repeatable,
        OnNestedRefused.DENY,
        Disclosure.FULL,
        VALIDITY,
        MAX_ANSWER_BYTES);
  }

  private static Digest digest(String hex) {
    return new Digest("sha256:" + hex.repeat(64));
  }
}
