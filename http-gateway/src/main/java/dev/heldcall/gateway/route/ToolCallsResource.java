package dev.heldcall.gateway.route;

import dev.heldcall.config.LimitSettings;
import dev.heldcall.gateway.json.ProposalBody;
import dev.heldcall.gateway.json.Statuses;
import dev.heldcall.gateway.route.Exchange.IdempotencyKey;
import dev.heldcall.kernel.api.CallView;
import dev.heldcall.kernel.api.HeldCalls;
import dev.heldcall.kernel.api.Reply;
import dev.heldcall.kernel.call.Preferences.OnDisconnect;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * {@code POST /tool-calls}: an agent proposes a call, and learns how it stands. The hold is durable
 * before the answer, and before any wait for one.
 */
public final class ToolCallsResource implements Endpoint.Resource {

  private static final String GONE = "client disconnected";

  private final HeldCalls calls;
  private final CallAnswers answers;
  private final LimitSettings limits;

  /** Serves this kernel. */
  public ToolCallsResource(HeldCalls calls, LimitSettings limits, Statuses statuses) {
    this.calls = calls;
    this.answers = new CallAnswers(statuses);
    this.limits = limits;
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.post("/tool-calls", Access.of(Role.AGENT), Load.WAITING_WRITE, this::propose));
  }

  private CompletionStage<Answer> propose(Exchange exchange) {
    return exchange.withoutQuery(
        _ ->
            Exchange.with(
                ProposalBody.read(exchange.body(), limits.maxDependencies(), limits.maxWait()),
                body ->
                    Exchange.with(exchange.idempotencyKey(), key -> propose(exchange, body, key))));
  }

  private CompletionStage<Answer> propose(
      Exchange exchange, ProposalBody body, IdempotencyKey key) {
    Principal proposer = exchange.principal();
    Proposal proposal = body.proposal();
    CompletableFuture<Reply<CallView>> reply =
        calls.propose(proposer, proposal, body.longestWait(), key.value()).toCompletableFuture();
    String heldId = proposal.identity(proposer).heldId();
    if (proposal.preferences().onDisconnect() == OnDisconnect.CANCEL) {
      cancelIfGone(exchange, reply, heldId);
    }
    return Replies.render(reply, heldId, answers::standing);
  }

  /**
   * Cancels once the client is gone before it has its answer. The call may not be written down yet
   * when that is noticed, and so the wish is said again when the reply is due.
   */
  private void cancelIfGone(
      Exchange exchange, CompletableFuture<Reply<CallView>> reply, String heldId) {
    CompletableFuture<?> gone = exchange.disconnected().toCompletableFuture();
    var _ =
        gone.thenRun(
            () -> {
              if (!reply.isDone()) {
                var _ = calls.cancel(exchange.principal(), heldId, GONE);
                var _ = reply.thenAccept(late -> cancelLate(exchange.principal(), late, heldId));
              }
            });
  }

  private void cancelLate(Principal proposer, Reply<CallView> late, String heldId) {
    if (late instanceof Reply.Ok<CallView>(CallView view) && view.facts().undecided()) {
      var _ = calls.cancel(proposer, heldId, GONE);
    }
  }
}
