package dev.heldcall.gateway.product;

import static dev.heldcall.gateway.product.OwnOrganization.document;
import static dev.heldcall.gateway.product.OwnOrganization.rule;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Policy that changes while calls wait. */
@ParameterizedClass
@EnumSource(Engine.class)
class PolicyChangeTest extends ProductTest {

  private final OwnOrganization own;

  PolicyChangeTest(Engine engine) {
    super(engine);
    own = new OwnOrganization(node, ownOrganization());
  }

  private Held ownCall(String tool, Object... args) {
    return propose(own.as("agent"), proposal(tool, args));
  }

  @Test
  void aPolicyChangeIsItselfAWitnessedCall() {
    Got before = own.policy();
    ObjectNode document = document(rule("no-act", "act", "ci"));
    Held change = own.proposeChange("change-1", before.at("/epoch").asLong(), document);
    assertThat(change.answer().is(202).text("/verdict")).isEqualTo("REQUIRE_WITNESS");
    assertThat(change.answer().header("location")).isEqualTo(change.path());
    assertThat(change.read().text("/tool")).isEqualTo("heldcall.policy.change");
    assertThat(own.policy().json()).isEqualTo(before.json());

    var _ = change.approve(own.as("alice")).is(202);
    var _ = change.until("/status/execution", "effect-recorded");
    Got after = own.policy();
    assertThat(after.at("/epoch").asLong()).isEqualTo(before.at("/epoch").asLong() + 1);
    assertThat(after.text("/policy_version")).isNotEqualTo(before.text("/policy_version"));
    assertThat(after.at("/document/rules/0/id").asText()).isEqualTo("no-act");
    assertThat(after.at("/floor")).isEqualTo(before.at("/floor"));
    assertThat(ownCall("act").answer().is(202).text("/contract/rule")).isEqualTo("ci");
    assertThat(own.as("operator").get(own.path()).is(200).json()).isEqualTo(after.json());
  }

  @Test
  void field09_policyBecameStricterWhileAReadyCallWaitedAndTheOldApprovalReleasesNothing() {
    ObjectNode proposal = proposal("by_client", "rule", "human");
    Held ready = propose(own.as("agent"), proposal);
    var _ = ready.approve(own.as("alice")).is(202);
    assertThat(ready.read().text("/status/readiness")).isEqualTo("satisfied");
    long checked = ready.read().at("/status/policy_epoch_checked").asLong();

    own.change("stricter", document(rule("two", "by_client", "quorum(2, human)")));

    var _ = ready.until("/status/readiness", "stale");
    var _ = ready.lease(own.as("agent")).isProblem(409, "not-ready");
    Got stale = ready.read();
    assertThat(stale.text("/status/readiness")).isEqualTo("stale");
    assertThat(stale.text("/status/evidence/0/state")).isEqualTo("stale");
    assertThat(stale.text("/contract/rule")).contains("quorum(2, human)");
    assertThat(stale.at("/status/policy_epoch_checked").asLong()).isGreaterThan(checked);

    Got asked = own.as("agent").post("/tool-calls", proposal);
    assertThat(asked.is(202).text("/witness_request/contract_digest"))
        .isEqualTo(stale.text("/contract/digest"));
    assertThat(asked.at("/witness_request/routes/0"))
        .isEqualTo(Json.of("class", "human", "route", "inbox", "state", "requested"));

    for (String id : new String[] {"alice", "bob"}) {
      ObjectNode again = ready.attestationNow("new-" + id, "human", "approve");
      var _ = ready.attest(own.as(id), again).is(202);
    }
    var _ = ready.lease(own.as("agent")).is(200);
  }

  @Test
  void field10_aPolicyEditWithoutEffectOnACallCostsNobodyAnotherApproval() {
    Held ready = ownCall("by_client", "rule", "human");
    var _ = ready.approve(own.as("alice")).is(202);
    own.change("elsewhere", document(rule("other", "look", "quorum(2, human)")));
    var _ = ready.lease(own.as("agent")).is(200);
    Got call = ready.read();
    assertThat(call.text("/status/evidence/0/state")).isEqualTo("valid");
    assertThat(call.text("/contract/digest")).isEqualTo(ready.answer().text("/contract/digest"));
  }

  @Test
  void aPolicyThatForbidsEndsTheCallThatWaits() {
    Held held = ownCall("by_client", "rule", "human");
    var _ = held.approve(own.as("alice")).is(202);
    own.change(
        "forbid",
        document(
            "{\"id\":\"never\",\"tools\":[\"by_client\"],\"verdict\":\"DENY\",\"message\":\"not any more\"}"));
    assertThat(held.lease(own.as("agent")).status()).isEqualTo(409);
    var _ = held.until("/status/lifecycle", "denied");
    assertThat(held.delivery().at("/refusal/reason").asText()).contains("not any more");
  }

  @Test
  void aLooserPolicyNeverTurnsWaitingIntoAllowing() {
    own.change("tight", document(rule("tight", "act", "ci")));
    Held held = ownCall("act", "n", 1);
    var _ = held.answer().is(202);
    own.change("loose", document());
    var _ = held.read();
    assertThat(held.read().text("/status/readiness")).isNotEqualTo("satisfied");
    assertThat(held.read().text("/phase")).isEqualTo("HELD");
    assertThat(tools.requests(held.id())).isEmpty();
  }

  @Test
  void rule07_policyChangesNothingWhileTheOutcomeIsUnknown() {
    Held held = ownCall("act", "do", "cut");
    assertThat(held.answer().is(202).text("/execution")).isEqualTo("outcome-unknown");
    own.change("forbid", document("{\"id\":\"never\",\"tools\":[\"act\"],\"verdict\":\"DENY\"}"));
    Got call = held.read();
    assertThat(call.text("/status/lifecycle")).isEqualTo("open");
    assertThat(call.text("/status/execution")).isEqualTo("outcome-unknown");
    ObjectNode effect = Json.of("outcome", "effect", "content", Json.of("ok", true));
    var _ = held.resolve(own.as("operator"), effect).is(200);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
  }

  @Test
  void rule23_onlyPolicyOwnersProposeAChangeOnEitherRoute() {
    ObjectNode body = Json.of("call_id", "x", "base_epoch", own.epoch(), "document", document());
    for (String id : new String[] {"agent", "alice", "operator"}) {
      var _ = own.as(id).post(own.path(), body).isProblem(403, "forbidden");
    }
    ObjectNode call = proposal("heldcall.policy.change", "base_epoch", 0, "document", document());
    var _ = own.as("agent").post("/tool-calls", call).isProblem(403, "forbidden");
    for (String id : new String[] {"agent", "alice"}) {
      var _ = own.as(id).get(own.path()).isProblem(403, "forbidden");
    }
    var _ = node.as("other-owner").get(own.path()).isProblem(404, "not-found");
    var _ = node.as("other-owner").post(own.path(), body).isProblem(404, "not-found");
  }

  @Test
  void rule23_aBaseThatIsNoLongerCurrentFailsAtTheLease() {
    long base = own.epoch();
    Held late = own.proposeChange("late", base, document(rule("late", "act", "ci")));
    var _ = late.answer().is(202);
    own.change("first", document(rule("first", "look", "ci")));
    var _ = late.attest(own.as("alice"), late.attestationNow("a-1", "human", "approve")).is(202);
    var _ =
        late.until(
            call ->
                !call.at("/status/lifecycle").asText().equals("open")
                    || call.at("/result/outcome").asText().equals("failed"));
    assertThat(own.policy().at("/document/rules/0/id").asText()).isEqualTo("first");
    assertThat(own.epoch()).isEqualTo(base + 1);
  }

  @Test
  void aDocumentThatDoesNotLoadIsRefusedWithThePlace() {
    Got unparseable =
        own.proposeChange("bad-1", own.epoch(), document(rule("r", "act", "human &")))
            .answer()
            .isProblem(422, "policy-document");
    assertThat(unparseable.text("/errors/0/pointer")).startsWith("/document/rules/0/contract");
    Got condition =
        own.proposeChange(
                "bad-2",
                own.epoch(),
                document(
                    "{\"id\":\"r\",\"tools\":[\"act\"],\"when\":\"args.n >\",\"verdict\":\"ALLOW\"}"))
            .answer()
            .isProblem(422, "policy-document");
    assertThat(condition.text("/errors/0/pointer")).startsWith("/document/rules/0/when");
    var _ =
        own.proposeChange("bad-3", own.epoch(), Json.object("{\"rules\":[],\"ruless\":[]}"))
            .answer()
            .isProblem(422, "policy-document");
  }

  @Test
  void field21_aRuleThatNobodyCanSatisfyIsRefusedWhenItIsLoaded() {
    for (String rule : new String[] {"nobody-is-this", "quorum(9, human)"}) {
      Got got =
          own.proposeChange("roster", own.epoch(), document(rule("r", "act", rule)))
              .answer()
              .isProblem(422, "policy-document");
      assertThat(got.text("/errors/0/pointer")).startsWith("/document/rules/0");
    }
  }

  @Test
  void field21_aCallThatNobodyCanReleaseSaysSo() {
    ObjectNode proposal = proposal("act");
    proposal.set("preferences", Json.of("require", "astrologer"));
    Held held = propose(own.as("agent"), proposal);
    assertThat(held.answer().is(202).at("/explain").toString()).contains("astrologer");
    assertThat(held.read().at("/explain").toString().toLowerCase(java.util.Locale.ROOT))
        .containsAnyOf("nobody", "no one", "none", "not enough");
  }

  @Test
  void anOrganizationsLayerOnlyNarrows() {
    own.change("widen", document("{\"id\":\"all\",\"tools\":[\"*\"],\"verdict\":\"ALLOW\"}"));
    var _ = ownCall("act", "rule", "deny").answer().isProblem(403, "denied");
    assertThat(ownCall("act", "rule", "human").answer().is(202).text("/contract/rule"))
        .isEqualTo("human");
    assertThat(propose(own.as("poor"), proposal("act")).answer().status()).isEqualTo(403);
    own.change("join", document(rule("more", "act", "ci")));
    assertThat(ownCall("act", "rule", "human").answer().is(202).text("/contract/rule"))
        .contains("human")
        .contains("ci")
        .contains("&");
  }
}
