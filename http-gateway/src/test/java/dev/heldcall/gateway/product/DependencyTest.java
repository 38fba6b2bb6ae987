package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that wait for calls (the design, dependencies). */
@ParameterizedClass
@EnumSource(Engine.class)
class DependencyTest extends ProductTest {

  DependencyTest(Engine engine) {
    super(engine);
  }

  private static ObjectNode after(ObjectNode proposal, Held... dependencies) {
    var ids = proposal.putArray("depends_on");
    for (Held each : dependencies) {
      ids.add(each.id());
    }
    return proposal;
  }

  @Test
  void aChainOfDependentsRunsInOrder() {
    String session = session();
    Held first = propose(agent, proposalIn(session, "c-0", "act", "rule", "human"));
    List<Held> chain = new ArrayList<>(List.of(first));
    for (int i = 1; i < 5; i++) {
      Held next = propose(agent, after(proposalIn(session, "c-" + i, "act"), chain.getLast()));
      Got waits = next.answer().is(202);
      assertThat(waits.text("/verdict")).isEqualTo("ALLOW");
      assertThat(waits.at("/contract").isNull()).isTrue();
      assertThat(waits.at("/explain").toString()).contains(chain.getLast().id());
      chain.add(next);
    }
    assertThat(chain).allMatch(each -> tools.requests(each.id()).isEmpty());
    var _ = first.approve(alice).is(202);
    var _ = chain.getLast().delivery();
    List<String> order = new ArrayList<>();
    for (JsonNode delivery : first.deliveries()) {
      order.add(delivery.path("call_id").asText());
    }
    assertThat(order).containsExactly("c-0", "c-1", "c-2", "c-3", "c-4");
    assertThat(chain).allMatch(each -> tools.effects(each.id()) == 1);
  }

  @Test
  void aDependentOfARefusedCallIsRefusedAndSoAreItsOwn() {
    String session = session();
    Held first = propose(agent, proposalIn(session, "c-0", "act", "rule", "human"));
    Held second = propose(agent, after(proposalIn(session, "c-1", "act"), first));
    Held third = propose(agent, after(proposalIn(session, "c-2", "act"), second));
    var _ = first.deny(alice).is(202);
    for (Held each : List.of(second, third)) {
      JsonNode refusal = each.delivery().path("refusal");
      assertThat(refusal.path("kind").asText()).isEqualTo("denied");
      assertThat(refusal.path("reason").asText()).isNotBlank();
      assertThat(each.read().text("/status/lifecycle")).isEqualTo("denied");
      assertThat(tools.requests(each.id())).isEmpty();
    }
  }

  @Test
  void rule20_aDependentOfAFailedCallIsRefused() {
    String session = session();
    Held failed = propose(agent, proposalIn(session, "c-0", "act", "do", "status", "status", 422));
    assertThat(failed.answer().is(200).text("/result/outcome")).isEqualTo("failed");
    Held dependent = propose(agent, after(proposalIn(session, "c-1", "act"), failed));
    assertThat(dependent.delivery().at("/refusal/kind").asText()).isEqualTo("denied");
    assertThat(tools.requests(dependent.id())).isEmpty();
  }

  @Test
  void rule20_quarantinedOrUnknownKeepsTheDependentWaiting() {
    String session = session();
    Held quarantined = propose(agent, proposalIn(session, "c-0", "strict_result", "say", "x"));
    Held unknown = propose(agent, proposalIn(session, "c-1", "act", "do", "cut"));
    Held afterQuarantined = propose(agent, after(proposalIn(session, "c-2", "act"), quarantined));
    Held afterUnknown = propose(agent, after(proposalIn(session, "c-3", "act"), unknown));
    var _ = afterQuarantined.answer().is(202);
    var _ = afterUnknown.answer().is(202);
    var _ = unknown.resolve(operator, Json.of("outcome", "effect", "content", Json.of())).is(200);
    assertThat(afterUnknown.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(afterQuarantined.read().text("/status/lifecycle")).isEqualTo("open");
    assertThat(tools.requests(afterQuarantined.id())).isEmpty();
  }

  @Test
  void rule20_aDependencyIsTheSamePrincipalsOwn() {
    Held others = propose(as("agent-2"), proposal("act"));
    var _ =
        agent
            .post("/tool-calls", after(proposal("act"), others))
            .isProblem(422, "unknown-dependency");
    ObjectNode unknown = proposal("act");
    unknown.putArray("depends_on").add("hc_" + "a".repeat(52));
    var _ = agent.post("/tool-calls", unknown).isProblem(422, "unknown-dependency");
    unknown.putArray("depends_on").add("nonsense");
    var _ = agent.post("/tool-calls", unknown).isProblem(422, "unknown-dependency");
    ObjectNode orphan = proposal("act").put("parent_held_id", "hc_" + "b".repeat(52));
    var _ = agent.post("/tool-calls", orphan).isProblem(422, "unknown-dependency");
  }

  @Test
  void aCallThatWaitsForItselfIsACycle() {
    ObjectNode shape = proposal("act");
    String own = ReadingTest.heldId("agent", shape);
    ObjectNode self = shape.deepCopy();
    self.putArray("depends_on").add(own);
    var _ = agent.post("/tool-calls", self).isProblem(422, "dependency-cycle");
    ObjectNode child = shape.deepCopy().put("parent_held_id", own);
    var _ = agent.post("/tool-calls", child).isProblem(422, "dependency-cycle");
    var _ = propose(agent, shape).answer().is(200);
  }

  @Test
  void aChildThatWaitsForItsParentIsACycle() {
    String session = session();
    Held parent = propose(agent, proposalIn(session, "parent", "by_client", "rule", "human"));
    ObjectNode child = proposalIn(session, "child", "act").put("parent_held_id", parent.id());
    var _ = agent.post("/tool-calls", after(child, parent)).isProblem(422, "dependency-cycle");
  }

  @Test
  void theSeventeenthLevelIsRefused() {
    String session = session();
    Held last = propose(agent, proposalIn(session, "c-1", "by_client"));
    for (int level = 2; level <= 16; level++) {
      last = propose(agent, after(proposalIn(session, "c-" + level, "act"), last));
      var _ = last.answer().is(202);
    }
    Held seventeenth = propose(agent, after(proposalIn(session, "c-17", "act"), last));
    var _ = seventeenth.answer().isProblem(422, "dependency-depth");
    Held again = propose(agent, after(proposalIn(session, "c-17", "act"), last));
    var _ = again.answer().isProblem(422, "dependency-depth");
  }

  @Test
  void field23_aParentWaitsForItsChildAndTheApprovalOfOneIsNotTheOthers() {
    String session = session();
    Held parent = propose(agent, proposalIn(session, "parent", "act", "rule", "human"));
    ObjectNode nested = proposalIn(session, "child", "act", "rule", "human", "n", 2);
    Held child = propose(agent, nested.put("parent_held_id", parent.id()));
    assertThat(child.answer().is(202).text("/held_id")).isNotEqualTo(parent.id());

    var _ = parent.approve(alice).is(202);
    assertThat(parent.read().text("/status/readiness")).isEqualTo("satisfied");
    assertThat(parent.read().at("/explain").toString()).contains(child.id());
    assertThat(tools.requests(parent.id())).isEmpty();
    assertThat(child.read().text("/phase")).isEqualTo("HELD");

    var _ = child.approve(alice).is(202);
    assertThat(child.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(parent.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(parent.delivery().path("seq").asLong())
        .isGreaterThan(child.delivery().path("seq").asLong());
    assertThat(tools.effects(parent.id())).isEqualTo(1);
    assertThat(tools.effects(child.id())).isEqualTo(1);
  }

  @Test
  void aRefusedChildSettlesAndTheParentGoesOn() {
    String session = session();
    Held parent = propose(agent, proposalIn(session, "parent", "act", "rule", "human"));
    ObjectNode nested = proposalIn(session, "child", "act", "rule", "human");
    Held child = propose(agent, nested.put("parent_held_id", parent.id()));
    var _ = parent.approve(alice).is(202);
    var _ = child.cancel("not needed").is(200);
    assertThat(parent.delivery().path("kind").asText()).isEqualTo("result");
  }

  @Test
  void whatIsNotDispatchedEndsWithItsParentDownToTheLastGeneration() {
    String session = session();
    Held parent = propose(agent, proposalIn(session, "parent", "act", "rule", "human"));
    ObjectNode nested = proposalIn(session, "child", "act", "rule", "human");
    Held child = propose(agent, nested.put("parent_held_id", parent.id()));
    ObjectNode inner = proposalIn(session, "grandchild", "act", "rule", "human");
    Held grandchild = propose(agent, inner.put("parent_held_id", child.id()));
    var _ = grandchild.answer().is(202);

    var _ = parent.cancel("never mind").is(200);
    for (Held each : List.of(child, grandchild)) {
      JsonNode refusal = each.delivery().path("refusal");
      assertThat(refusal.path("kind").asText()).isEqualTo("cancelled");
      assertThat(refusal.path("by").asText()).isEqualTo("parent");
      assertThat(refusal.path("reason").asText()).contains("cancelled");
      var _ = each.approve(alice).is(409);
      assertThat(tools.requests(each.id())).isEmpty();
    }
  }

  @Test
  void aCallThatEndedTakesNoChild() {
    String session = session();
    Held parent = propose(agent, proposalIn(session, "parent", "act", "rule", "human"));
    var _ = parent.cancel("never mind").is(200);
    ObjectNode late = proposalIn(session, "child", "act").put("parent_held_id", parent.id());
    var _ = agent.post("/tool-calls", late).isProblem(422, "unknown-dependency");
  }

  @Test
  void anEditedUpstreamSendsItsDependentBackToBeWitnessed() {
    String session = session();
    Held first = propose(agent, proposalIn(session, "c-0", "act", "rule", "human", "n", 1));
    Held second = propose(agent, after(proposalIn(session, "c-1", "act", "rule", "human"), first));
    var _ = second.approve(alice).is(202);
    assertThat(second.read().text("/status/readiness")).isEqualTo("satisfied");

    var _ = first.edit(1, Json.of("rule", "human", "n", 2)).is(202);
    var _ = second.until("/status/readiness", "stale");
    assertThat(second.read().text("/status/evidence/0/state")).isEqualTo("stale");
    assertThat(second.read().text("/status/evidence/0/note")).contains(first.id());

    Held edited = propose(agent, proposalIn(session, "c-0", "act", "rule", "human", "n", 1));
    var _ = edited.approve(alice).is(202);
    assertThat(edited.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(tools.requests(second.id())).as("approved for another upstream").isEmpty();
    var _ = second.approve(bob).is(202);
    assertThat(second.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(tools.effects(second.id())).isEqualTo(1);
  }

  @Test
  void theResultThatADependentWaitedForLeavesItsEvidence() {
    String session = session();
    Held first = propose(agent, proposalIn(session, "c-0", "act", "rule", "human", "n", 1));
    Held second = propose(agent, after(proposalIn(session, "c-1", "act", "rule", "human"), first));
    var _ = second.approve(alice).is(202);
    var _ = first.approve(alice).is(202);
    assertThat(second.delivery().path("kind").asText()).isEqualTo("result");
  }

  @Test
  void theSessionSaysWhatEachCallWaitsFor() {
    String session = session();
    Held first = propose(agent, proposalIn(session, "c-0", "act", "rule", "human"));
    Held second = propose(agent, after(proposalIn(session, "c-1", "act"), first));
    Got view = agent.get("/sessions/" + session).is(200);
    assertThat(view.at("/agent_paused").asBoolean()).isTrue();
    JsonNode waiting = call(view, second.id());
    assertThat(waiting.path("runnable").asBoolean(true)).isFalse();
    assertThat(waiting.path("blocked_on").toString()).contains(first.id());
    var _ = first.approve(alice).is(202);
    var _ = second.delivery();
    Got done =
        org.awaitility.Awaitility.await()
            .atMost(Held.PATIENCE)
            .until(
                () -> agent.get("/sessions/" + session),
                got -> !got.at("/agent_paused").asBoolean(true));
    assertThat(done.at("/calls")).hasSize(2);
  }

  private static JsonNode call(Got session, String heldId) {
    for (JsonNode each : session.at("/calls")) {
      if (each.path("held_id").asText().equals(heldId)) {
        return each;
      }
    }
    throw new AssertionError(heldId + " is not in " + session.text());
  }
}
