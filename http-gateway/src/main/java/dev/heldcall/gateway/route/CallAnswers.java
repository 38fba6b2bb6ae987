package dev.heldcall.gateway.route;

import dev.heldcall.gateway.json.ProposalJson;
import dev.heldcall.gateway.json.Statuses;
import dev.heldcall.kernel.api.CallView;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallFacts;

/** The answer to whoever proposed or edited a call: how it stands now. */
final class CallAnswers {

  private static final String RUNNING_RETRY_SECONDS = "1";
  private static final String HELD_RETRY_SECONDS = "5";

  private final ProposalJson json;

  CallAnswers(Statuses statuses) {
    json = new ProposalJson(statuses);
  }

  /** 403 if it was denied, 200 if it has concluded otherwise, else 202. */
  Answer standing(CallView view) {
    HeldCallFacts facts = view.facts();
    String heldId = facts.requireSpec().heldId();
    if (ProposalJson.isDenied(facts) && !facts.dispatched()) {
      return Answer.of(ProposalJson.denied(view));
    }
    if (facts.concluded()) {
      return tagged(Answer.ok(json.concluded(view)), view);
    }
    boolean running = facts.execution() == Execution.LEASED;
    return tagged(Answer.of(202, json.held(view)), view)
        .with("Location", "/held/" + heldId)
        .with("Retry-After", running ? RUNNING_RETRY_SECONDS : HELD_RETRY_SECONDS);
  }

  /** With the call's sequence number as the entity tag. */
  static Answer tagged(Answer answer, CallView view) {
    return answer.with("ETag", "\"" + view.sequence() + "\"");
  }
}
