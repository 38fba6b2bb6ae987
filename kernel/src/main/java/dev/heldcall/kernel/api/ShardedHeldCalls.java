package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.Access;
import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.policy.BuiltInTools;
import dev.heldcall.kernel.signature.KeysUnreachableException;
import dev.heldcall.kernel.witness.RuleParser;
import dev.heldcall.kernel.witness.RuleSyntaxException;
import dev.heldcall.kernel.witness.SignatureVerdict;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@link HeldCalls} over sharded entities and the read side. It has each operation's whole way in
 * one place, which makes it long: who may, what is asked of whom, and what the reply becomes.
 */
final class ShardedHeldCalls implements HeldCalls {

  /** No plugins yet: the digest of the empty set. */
  static final Digest NO_PLUGINS = Digests.ofCanonical(JsonNodeFactory.instance.arrayNode());

  /** The session that policy changes posted to a policy belong to. */
  static final String POLICY_SESSION = "heldcall.policy";

  private final EntityClient calls;
  private final NodeRoutes routes;
  private final ProposalChecks checks;
  private final ReadSideQueries lists;
  private final WitnessRequests requests;
  private final PolicyRequests policies;
  private final NodeStatus node;
  private final NodeSignatures signatures;
  private final BiFunction<Lease, Generation, String> permits;
  private final JsonNode permitKeys;

  ShardedHeldCalls(
      EntityClient calls,
      ProposalChecks checks,
      ReadSideQueries lists,
      WitnessRequests requests,
      PolicyRequests policies,
      NodeStatus node,
      NodeSignatures signatures,
      BiFunction<Lease, Generation, String> permits,
      JsonNode permitKeys,
      NodeRoutes routes) {
    this.calls = calls;
    this.routes = routes;
    this.checks = checks;
    this.lists = lists;
    this.requests = requests;
    this.policies = policies;
    this.node = node;
    this.signatures = signatures;
    this.permits = permits;
    this.permitKeys = permitKeys;
  }

  @Override
  public CompletionStage<Reply<CallView>> propose(
      Principal proposer, Proposal proposal, Duration wait, @Nullable String idempotencyKey) {
    Rejection refused = mayPropose(proposer, proposal);
    if (refused != null) {
      return refused(refused);
    }
    String heldId = proposal.identity(proposer).heldId();
    return lists
        .admit(proposer, proposal, heldId, idempotencyKey)
        .thenCompose(
            refusal -> {
              if (refusal.isEmpty()) {
                return link(proposer, proposal, heldId, wait);
              }
              Rejection bound = refusal.get();
              return bound.problem() == Problem.TOO_MANY_CALLS
                  ? onlyIfKnown(proposer, proposal, heldId, wait, bound)
                  : refused(bound);
            });
  }

  private @Nullable Rejection mayPropose(Principal proposer, Proposal proposal) {
    boolean policyChange =
        proposal.boundary() == Boundary.TOOL && proposal.tool().equals(BuiltInTools.POLICY_CHANGE);
    if (policyChange) {
      return proposer.has(Role.POLICY_OWNER)
          ? policies.documentProblem(proposer.org(), proposal.args().get("document"))
          : Rejection.of(Problem.FORBIDDEN, "only a policy-owner proposes a policy change");
    }
    if (!proposer.has(Role.AGENT)) {
      return Rejection.of(Problem.FORBIDDEN, "only an agent proposes tool calls");
    }
    String required = proposal.preferences().require();
    if (required != null) {
      try {
        RuleParser.parse(required);
      } catch (RuleSyntaxException e) {
        return new Rejection(
            Problem.INVALID_FIELD,
            "preferences.require is no witness rule",
            List.of(
                new Rejection.FieldError("/preferences/require", String.valueOf(e.getMessage()))),
            null);
      }
    }
    return null;
  }

  /** Over a bound, a proposal that was made before is still answered. */
  private CompletionStage<Reply<CallView>> onlyIfKnown(
      Principal proposer, Proposal proposal, String heldId, Duration wait, Rejection bound) {
    return calls
        .facts(heldId)
        .thenCompose(
            facts -> facts.proposed() ? link(proposer, proposal, heldId, wait) : refused(bound));
  }

  private CompletionStage<Reply<CallView>> link(
      Principal proposer, Proposal proposal, String heldId, Duration wait) {
    return checks
        .link(proposer, proposal, heldId)
        .thenCompose(
            linked -> {
              Rejection rejection = linked.rejection();
              if (rejection != null) {
                return refused(rejection);
              }
              return calls
                  .executeAndWait(
                      heldId,
                      new HeldCallCommand.ProposeCall(
                          proposer, proposal, linked.rootSession(), NO_PLUGINS, linked.upstream()),
                      wait)
                  .thenApply(reply -> EntityClient.reply(reply, this::asked));
            });
  }

  @Override
  public CompletionStage<Reply<CallView>> read(
      Principal viewer, String heldId, Duration wait, @Nullable Long since) {
    return calls
        .facts(heldId)
        .thenCompose(
            now -> {
              Rejection unseen = Access.toSee(now, viewer);
              if (unseen != null) {
                return refused(unseen);
              }
              return calls
                  .read(heldId, since == null ? -1 : since, since == null ? Duration.ZERO : wait)
                  .thenCompose(
                      reply ->
                          routes
                              .of(reply.facts())
                              .thenApply(shown -> new Reply.Ok<>(view(reply).with(shown))));
            });
  }

  @Override
  public CompletionStage<Reply<IncomingReply>> incoming(String provider, IncomingMessage message) {
    return routes.incoming(provider, message);
  }

  @Override
  public CompletionStage<Reply<HistoryPage>> history(
      Principal viewer, String heldId, long after, int limit) {
    return calls
        .facts(heldId)
        .thenCompose(
            facts -> {
              Rejection unseen = Access.toSee(facts, viewer);
              if (unseen != null) {
                return refused(unseen);
              }
              boolean whole = Access.isProposer(facts, viewer) || viewer.has(Role.OPERATOR);
              return lists.history(facts, after, limit, whole).thenApply(Reply.Ok::new);
            });
  }

  @Override
  public CompletionStage<Reply<AttestationReceipt>> attest(
      Principal witness, String heldId, Attestation attestation) {
    if (!witness.has(Role.WITNESS)) {
      return refuse(
          witness, heldId, attestation.attestationId(), true, "only a witness attests", List.of());
    }
    return signatures
        .verify(witness.ref(), heldId, attestation)
        .handle(ShardedHeldCalls::knownOrNot)
        .thenCompose(
            looked ->
                switch (looked) {
                  case Reply.Refused<SignatureVerdict>(var rejection) -> refused(rejection);
                  case Reply.Ok<SignatureVerdict>(var verdict) ->
                      attest(witness, heldId, attestation, verdict);
                });
  }

  /** What nobody can verify now is not taken in now: the witness may send it again. */
  private static Reply<SignatureVerdict> knownOrNot(
      @Nullable SignatureVerdict verdict, @Nullable Throwable failure) {
    if (verdict != null) {
      return new Reply.Ok<>(verdict);
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    if (cause instanceof KeysUnreachableException unreachable) {
      return new Reply.Refused<>(
          Rejection.of(
              Problem.UNAVAILABLE,
              "the signature cannot be verified now, nothing was done: "
                  + unreachable.getMessage()));
    }
    throw new CompletionException(cause);
  }

  private CompletionStage<Reply<AttestationReceipt>> attest(
      Principal witness, String heldId, Attestation attestation, SignatureVerdict signature) {
    return calls
        .execute(heldId, new HeldCallCommand.Attest(witness, attestation, signature))
        .thenApply(
            reply -> {
              if (reply.answer() instanceof Answer.Attested) {
                requests.attested(witness.ref(), heldId, attestation.generation());
              }
              return EntityClient.reply(
                  reply, done -> receipt(heldId, attestation.attestationId(), done));
            });
  }

  private static AttestationReceipt receipt(String heldId, String attestationId, CallReply reply) {
    boolean duplicate = reply.answer() instanceof Answer.Attested attested && attested.duplicate();
    return duplicate
        ? new AttestationReceipt(
            AttestationReceipt.Disposition.DUPLICATE,
            heldId,
            attestationId,
            "this attestation was received before")
        : new AttestationReceipt(
            AttestationReceipt.Disposition.ACCEPTED_FOR_VERIFICATION,
            heldId,
            attestationId,
            "bound to the call as it stands");
  }

  @Override
  public CompletionStage<Reply<AttestationReceipt>> refuseAttestation(
      Principal witness,
      String heldId,
      @Nullable String attestationId,
      String reason,
      List<Rejection.FieldError> errors) {
    boolean forbidden = !witness.has(Role.WITNESS);
    return refuse(
        witness,
        heldId,
        attestationId,
        forbidden,
        forbidden ? "only a witness attests" : reason,
        errors);
  }

  private CompletionStage<Reply<AttestationReceipt>> refuse(
      Principal witness,
      String heldId,
      @Nullable String attestationId,
      boolean forbidden,
      String reason,
      List<Rejection.FieldError> errors) {
    return calls
        .execute(
            heldId,
            new HeldCallCommand.RefuseAttestation(
                witness, attestationId, forbidden, reason, errors))
        .thenApply(
            reply ->
                EntityClient.reply(
                    reply,
                    done -> {
                      throw new IllegalStateException("a refused attestation is refused");
                    }));
  }

  @Override
  public CompletionStage<Reply<AttestationReceipt>> revoke(
      Principal by, String heldId, String attestationId, @Nullable String reason) {
    return calls
        .execute(heldId, new HeldCallCommand.RevokeAttestation(by, attestationId, reason))
        .thenApply(
            reply ->
                EntityClient.reply(
                    reply,
                    done -> {
                      requests.revoked(heldId);
                      return new AttestationReceipt(
                          AttestationReceipt.Disposition.REVOKED,
                          heldId,
                          attestationId,
                          "it no longer counts");
                    }));
  }

  @Override
  public CompletionStage<Reply<CallView>> cancel(
      Principal by, String heldId, @Nullable String reason) {
    return view(heldId, new HeldCallCommand.CancelCall(by, reason));
  }

  @Override
  public CompletionStage<Reply<CallView>> edit(
      Principal by,
      String heldId,
      int generation,
      @Nullable String tool,
      @Nullable JsonNode args,
      Duration wait) {
    return calls
        .facts(heldId)
        .thenCompose(
            facts -> {
              Rejection refused = policyEdit(facts, by, tool, args);
              if (refused != null) {
                return refused(refused);
              }
              return calls
                  .executeAndWait(
                      heldId, new HeldCallCommand.EditCall(by, generation, tool, args), wait)
                  .thenApply(reply -> EntityClient.reply(reply, this::asked));
            });
  }

  /** An edit must not be a way around what a proposal of a policy change is held to. */
  private @Nullable Rejection policyEdit(
      HeldCallFacts facts, Principal by, @Nullable String tool, @Nullable JsonNode args) {
    if (!facts.proposed() || facts.requireSpec().boundary() != Boundary.TOOL) {
      return null;
    }
    Generation now = facts.requireGeneration();
    boolean becomes = BuiltInTools.POLICY_CHANGE.equals(tool == null ? now.tool() : tool);
    if (!becomes || !facts.requireSpec().proposer().org().equals(by.org())) {
      return null;
    }
    if (!by.has(Role.POLICY_OWNER)) {
      return Rejection.of(Problem.FORBIDDEN, "only a policy-owner proposes a policy change");
    }
    JsonNode content = args == null ? now.args() : args;
    return policies.documentProblem(by.org(), content.get("document"));
  }

  @Override
  public CompletionStage<Reply<LeaseGrant>> lease(
      Principal by,
      String heldId,
      int generation,
      @Nullable String worker,
      @Nullable String requestKey) {
    return calls
        .execute(heldId, new HeldCallCommand.TakeLease(by, generation, worker, requestKey))
        .thenApply(reply -> EntityClient.reply(reply, this::grant));
  }

  private LeaseGrant grant(CallReply reply) {
    if (reply.answer() instanceof Answer.Leased leased) {
      return new LeaseGrant(
          leased.lease(), permits.apply(leased.lease(), reply.facts().requireGeneration()));
    }
    throw new IllegalStateException("a lease was asked for and something else answered");
  }

  @Override
  public CompletionStage<Reply<CallView>> outcome(
      Principal by, String heldId, String leaseId, boolean succeeded, JsonNode content) {
    return view(heldId, new HeldCallCommand.ReportOutcome(by, leaseId, succeeded, content));
  }

  @Override
  public CompletionStage<Reply<CallView>> resolve(
      Principal by, String heldId, boolean effect, @Nullable JsonNode content, JsonNode evidence) {
    return view(heldId, new HeldCallCommand.ResolveOutcome(by, effect, content, evidence));
  }

  private CompletionStage<Reply<CallView>> view(String heldId, HeldCallCommand command) {
    return calls
        .execute(heldId, command)
        .thenApply(reply -> EntityClient.reply(reply, ShardedHeldCalls::view));
  }

  /** The call with whom it is about to ask. */
  private CallView asked(CallReply reply) {
    return view(reply).with(routes.planned(reply.facts()));
  }

  private static CallView view(CallReply reply) {
    return new CallView(reply.facts(), reply.sequence(), reply.now());
  }

  @Override
  public CompletionStage<Reply<InboxPage>> inbox(Principal viewer, InboxQuery query) {
    return lists.inbox(viewer, query);
  }

  @Override
  public CompletionStage<Reply<List<ClaimedRequest>>> claim(
      Principal witness, String witnessClass, int limit, Duration lease, Duration wait) {
    return requests.claim(witness, witnessClass, limit, lease, wait);
  }

  @Override
  public CompletionStage<Reply<String>> release(Principal by, String claimId) {
    return requests.release(by, claimId);
  }

  @Override
  public CompletionStage<Reply<SessionView>> session(Principal owner, String sessionId) {
    return lists.session(owner, sessionId);
  }

  @Override
  public CompletionStage<Reply<List<DeliveryItem>>> deliveries(
      Principal owner, String sessionId, long after, Duration wait, int limit) {
    return lists.deliveries(owner, sessionId, after, wait, limit);
  }

  @Override
  public CompletionStage<Reply<CallView>> acknowledge(
      Principal owner, String sessionId, String deliveryId) {
    int dot = deliveryId.lastIndexOf('.');
    if (dot < 1) {
      return refused(Rejection.of(Problem.NOT_FOUND, "no such delivery"));
    }
    String heldId = deliveryId.substring(0, dot);
    return calls
        .facts(heldId)
        .thenCompose(
            facts -> {
              boolean own =
                  facts.proposed()
                      && Access.isProposer(facts, owner)
                      && facts.requireSpec().sessionId().equals(sessionId);
              return own
                  ? view(heldId, new HeldCallCommand.AcknowledgeDelivery(owner, deliveryId))
                  : refused(Rejection.of(Problem.NOT_FOUND, "no such delivery in this session"));
            });
  }

  @Override
  public CompletionStage<Reply<PolicyState>> policy(Principal viewer, String org) {
    return policies.read(viewer, org);
  }

  @Override
  public CompletionStage<Reply<CallView>> proposePolicy(
      Principal owner,
      String org,
      String callId,
      long baseEpoch,
      JsonNode document,
      Duration wait,
      @Nullable String idempotencyKey) {
    if (!owner.org().equals(org)) {
      return refused(Rejection.of(Problem.NOT_FOUND, "no such policy"));
    }
    ObjectNode args = JsonNodeFactory.instance.objectNode();
    args.put("base_epoch", baseEpoch);
    args.set("document", document);
    Proposal proposal =
        new Proposal(
            POLICY_SESSION,
            "policy",
            callId,
            Boundary.TOOL,
            BuiltInTools.POLICY_CHANGE,
            args,
            null,
            List.of(),
            null,
            Preferences.NONE);
    return propose(owner, proposal, wait, idempotencyKey);
  }

  @Override
  public JsonNode permitKeys() {
    return permitKeys;
  }

  @Override
  public CompletionStage<NodeHealth> health() {
    return node.health();
  }

  @Override
  public boolean inContact() {
    return node.inContact();
  }

  @Override
  public List<ClusterMember> members() {
    return node.members();
  }

  private static <T> CompletionStage<Reply<T>> refused(Rejection rejection) {
    return CompletableFuture.completedFuture(new Reply.Refused<>(rejection));
  }
}
