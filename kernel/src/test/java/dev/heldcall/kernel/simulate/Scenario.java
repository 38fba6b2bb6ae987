package dev.heldcall.kernel.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.call.SessionKey;
import dev.heldcall.kernel.digest.CallIdentity;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Principal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a seed is about: how many nodes and calls, which tools, who waits for whom. */
final class Scenario {

  /** The most calls of a seed. */
  static final int MOST_CALLS = 6;

  private static final String SESSION = "s-1";
  private static final String ROOT = SessionKey.of(CoreFixtures.AGENT.ref(), SESSION);
  private static final List<String> IDS =
      IntStream.range(0, MOST_CALLS).mapToObj(Scenario::identity).toList();

  private static final List<String> TOOLS =
      List.of(
          CoreFixtures.TRANSFER,
          CoreFixtures.TRANSFER,
          CoreFixtures.BLIND,
          CoreFixtures.CHARGE,
          CoreFixtures.POST,
          CoreFixtures.DESK,
          CoreFixtures.DESK_AGAIN,
          CoreFixtures.REPORT,
          CoreFixtures.REPORT);

  /** Those that honour keys: the only ones whose effect is single whatever a clock shows. */
  private static final List<String> TOOLS_FOR_WILD_CLOCKS =
      List.of(CoreFixtures.CHARGE, CoreFixtures.POST, CoreFixtures.DESK_AGAIN);

  private final SplittableRandom random;
  private final int nodes;
  private final boolean wildClocks;
  private final PolicyVariant firstPolicy;
  private final List<CallPlan> calls = new ArrayList<>();
  private final Map<String, ToolWorld.Guard> guards = new HashMap<>();

  /**
   * A call that will be proposed.
   *
   * @param after when, in milliseconds
   * @param proposal its content
   * @param cyclic whether it closes a cycle, and must be refused
   */
  record CallPlan(int number, String heldId, long after, Proposal proposal, boolean cyclic) {}

  Scenario(SplittableRandom random) {
    this.random = random;
    nodes = 2 + random.nextInt(2);
    wildClocks = random.nextInt(100) < 12;
    firstPolicy = PolicyVariant.ALL.get(random.nextInt(PolicyVariant.FIRST));
    int size = 3 + random.nextInt(MOST_CALLS - 2);
    for (int i = 0; i < size; i++) {
      calls.add(plan(i, dependsOn(i), null, false));
      ToolWorld.Guard[] all = ToolWorld.Guard.values();
      guards.put(IDS.get(i), all[random.nextInt(all.length)]);
    }
    int shape = random.nextInt(10);
    if (shape < 3) {
      calls.set(size - 1, plan(size - 1, List.of(), IDS.get(random.nextInt(size - 1)), false));
    } else if (shape < 5) {
      cycle(size);
    }
  }

  private static String identity(int number) {
    Principal agent = CoreFixtures.AGENT;
    return new CallIdentity(agent.org(), agent.project(), agent.id(), SESSION, "t-1", "c-" + number)
        .heldId();
  }

  private List<String> dependsOn(int number) {
    return number > 0 && random.nextInt(4) == 0
        ? List.of(IDS.get(random.nextInt(number)))
        : List.of();
  }

  /** One depends on another, and a third would be the other's child and depend on the one. */
  private void cycle(int size) {
    String waited = IDS.get(size - 3);
    calls.set(size - 3, plan(size - 3, List.of(), null, false));
    calls.set(size - 2, plan(size - 2, List.of(waited), null, false));
    calls.set(size - 1, plan(size - 1, List.of(IDS.get(size - 2)), waited, true));
  }

  private CallPlan plan(
      int number, List<String> dependsOn, @Nullable String parent, boolean cyclic) {
    return new CallPlan(
        number,
        IDS.get(number),
        random.nextInt(6_000) + (dependsOn.isEmpty() && parent == null ? 0 : 1_000),
        proposal(number, dependsOn, parent, args(1_000 + number), tool()),
        cyclic);
  }

  /** A tool that a call of this seed may use. */
  String tool() {
    List<String> some = wildClocks ? TOOLS_FOR_WILD_CLOCKS : TOOLS;
    return some.get(random.nextInt(some.size()));
  }

  static JsonNode args(int amount) {
    return JsonNodeFactory.instance.objectNode().put("amount", amount);
  }

  static Proposal proposal(
      int number, List<String> dependsOn, @Nullable String parent, JsonNode args, String tool) {
    return new Proposal(
        SESSION,
        "t-1",
        "c-" + number,
        Boundary.TOOL,
        tool,
        args,
        null,
        dependsOn,
        parent,
        Preferences.NONE);
  }

  int nodes() {
    return nodes;
  }

  /**
   * Whether clocks jump by up to twenty minutes, and not only as far as a ready node's may be off.
   */
  boolean wildClocks() {
    return wildClocks;
  }

  PolicyVariant firstPolicy() {
    return firstPolicy;
  }

  List<CallPlan> calls() {
    return calls;
  }

  String rootSession() {
    return ROOT;
  }

  /** What the tool checks of the call's requests. */
  ToolWorld.Guard guard(String heldId) {
    return guards.getOrDefault(heldId, ToolWorld.Guard.NONE);
  }

  /** The call's name in a trace. */
  static String shortName(String id) {
    int number = IDS.indexOf(id);
    return number < 0 ? "session" : "call-" + number;
  }
}
