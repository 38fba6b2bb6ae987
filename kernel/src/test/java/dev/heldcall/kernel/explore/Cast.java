package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.Role;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Who takes part, and the one call that is explored. */
final class Cast {

  static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  static final Digest PLUGINS = new Digest("sha256:" + "0".repeat(64));
  static final Digest OTHER = new Digest("sha256:" + "f".repeat(64));
  static final Set<String> CAPABILITIES = Set.of("use", "policy.change");

  /** The proposer; it holds a class, which must not help it. */
  static final Principal AGENT =
      principal("agent", Set.of(Role.AGENT, Role.WITNESS, Role.OPERATOR), "human");

  static final Principal OPERATOR = principal("operator", Set.of(Role.OPERATOR));
  static final Principal WORKER = principal("worker", Set.of(Role.WORKER));
  static final Principal ALICE = principal("alice", Set.of(Role.WITNESS), "human");
  static final Principal BOB = principal("bob", Set.of(Role.WITNESS), "human");
  static final Principal CI = principal("ci", Set.of(Role.WITNESS), "ci");
  static final Principal BOTH = principal("both", Set.of(Role.WITNESS), "human", "ci");
  static final Principal STRANGER =
      new Principal(
          "alice",
          "rival",
          "default",
          Set.of(Role.WITNESS, Role.OPERATOR, Role.WORKER, Role.AGENT),
          new TreeSet<>(Set.of("human")),
          new TreeSet<>(),
          null,
          null);

  /** A delegate of the proposer, who holds a class as well. */
  static final Principal DELEGATE =
      new Principal(
          "delegate",
          "acme",
          "default",
          Set.of(Role.WITNESS, Role.OPERATOR),
          new TreeSet<>(Set.of("human")),
          new TreeSet<>(),
          "agent",
          null);

  static final String DEPENDENCY = "hc_dependency";
  static final String CHILD = "hc_child";

  private static final List<Principal> WITNESSES = List.of(ALICE, BOB, CI, BOTH);

  private Cast() {}

  private static Principal principal(String id, Set<Role> roles, String... classes) {
    return new Principal(
        id,
        "acme",
        "default",
        roles,
        new TreeSet<>(List.of(classes)),
        new TreeSet<>(CAPABILITIES),
        null,
        null);
  }

  static List<PrincipalRef> roster(String witnessClass) {
    List<PrincipalRef> holders = new ArrayList<>();
    for (Principal each : WITNESSES) {
      if (each.witnessClasses().contains(witnessClass)) {
        holders.add(each.ref());
      }
    }
    return holders;
  }

  static Proposal proposal(Scenario scenario, String args) {
    return new Proposal(
        "s-1",
        "t-1",
        "c-1",
        Boundary.TOOL,
        scenario.tool(),
        CompiledPolicies.json(args),
        "ckpt",
        scenario.has(Feature.RELATIVES) ? List.of(DEPENDENCY) : List.of(),
        null,
        Preferences.NONE);
  }
}
