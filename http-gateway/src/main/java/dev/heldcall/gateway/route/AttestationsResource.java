package dev.heldcall.gateway.route;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.gateway.error.ProblemDetails;
import dev.heldcall.gateway.error.ProblemType;
import dev.heldcall.gateway.json.AttestationBody;
import dev.heldcall.gateway.json.ReasonBody;
import dev.heldcall.kernel.api.AttestationReceipt;
import dev.heldcall.kernel.api.AttestationReceipt.Disposition;
import dev.heldcall.kernel.api.HeldCalls;
import dev.heldcall.kernel.api.Reply;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Rejection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /held/{held_id}/attestations} and the revocation of one. Every answer says what
 * became of the witness's word.
 */
public final class AttestationsResource implements Endpoint.Resource {

  private final HeldCalls calls;

  /** Serves this kernel. */
  public AttestationsResource(HeldCalls calls) {
    this.calls = calls;
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.post("/held/{held_id}/attestations", Access.PRINCIPAL, Load.WRITE, this::attest),
        Endpoint.post(
                "/held/{held_id}/attestations/{attestation_id}/revoke",
                Access.PRINCIPAL,
                Load.WRITE,
                this::revoke)
            .with(BodyRule.OPTIONAL));
  }

  private CompletionStage<Answer> attest(Exchange exchange) {
    return exchange.withoutQuery(
        _ ->
            switch (AttestationBody.read(exchange.body())) {
              case AttestationBody.Whole(var attestation) ->
                  answer(
                      calls.attest(exchange.principal(), exchange.heldId(), attestation),
                      exchange.heldId(),
                      attestation.attestationId(),
                      List.of());
              case AttestationBody.Malformed(var id, var reason, var errors) ->
                  answer(
                      calls.refuseAttestation(
                          exchange.principal(), exchange.heldId(), id, reason, errors),
                      exchange.heldId(),
                      id,
                      errors);
              case AttestationBody.Refused(var problem) ->
                  CompletableFuture.completedFuture(
                      Answer.of(
                          disposed(
                              problem,
                              "invalid",
                              exchange.heldId(),
                              exchange.body().path("attestation_id").textValue())));
            });
  }

  private CompletionStage<Answer> revoke(Exchange exchange) {
    String attestationId = exchange.variable("attestation_id");
    return exchange.withoutQuery(
        _ ->
            Exchange.with(
                ReasonBody.read(exchange.body()),
                body ->
                    Replies.render(
                        calls.revoke(
                            exchange.principal(), exchange.heldId(), attestationId, body.reason()),
                        exchange.heldId(),
                        AttestationsResource::received)));
  }

  private static CompletionStage<Answer> answer(
      CompletionStage<Reply<AttestationReceipt>> reply,
      String heldId,
      @Nullable String attestationId,
      List<Rejection.FieldError> errors) {
    return Replies.renderBoth(
        reply,
        AttestationsResource::received,
        rejection -> refused(rejection, heldId, attestationId, errors));
  }

  private static Answer received(AttestationReceipt receipt) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("disposition", receipt.disposition().wireName());
    node.put("held_id", receipt.heldId());
    node.put("attestation_id", receipt.attestationId());
    node.put("reason", receipt.reason());
    boolean accepted = receipt.disposition() == Disposition.ACCEPTED_FOR_VERIFICATION;
    return Answer.of(accepted ? 202 : 200, node);
  }

  private static Answer refused(
      Rejection rejection,
      String heldId,
      @Nullable String attestationId,
      List<Rejection.FieldError> errors) {
    String disposition = disposition(rejection.problem());
    Rejection placed =
        rejection.errors().isEmpty() && rejection.problem() == Problem.INVALID
            ? new Rejection(rejection.problem(), rejection.detail(), errors, rejection.execution())
            : rejection;
    ProblemDetails problem = ProblemDetails.of(placed, heldId);
    return Answer.of(
        disposition == null ? problem : disposed(problem, disposition, heldId, attestationId));
  }

  /** What became of it, or null where nothing of the call may be said. */
  private static @Nullable String disposition(Problem problem) {
    return switch (problem) {
      case STALE, TOO_LATE, EFFECT_DISPATCHED, NOT_OPEN -> "stale";
      case INVALID, ATTESTATION_CONFLICT, TOO_MANY_REFUSALS, FORBIDDEN, INVALID_FIELD -> "invalid";
      case NOT_FOUND,
          UNKNOWN_TOOL,
          ARGS_SCHEMA,
          DEPENDENCY_CYCLE,
          DEPENDENCY_DEPTH,
          UNKNOWN_DEPENDENCY,
          CALL_IDENTITY_CONFLICT,
          IDEMPOTENCY_KEY_REUSE,
          NOT_READY,
          LEASED,
          LEASE_LOST,
          NOT_UNKNOWN,
          TOO_EARLY,
          RESOLUTION_CONFLICT,
          POLICY_DOCUMENT,
          TOO_MANY_CALLS,
          TOO_MANY_CLAIMS,
          UNAVAILABLE ->
          null;
    };
  }

  private static ProblemDetails disposed(
      ProblemDetails problem, String disposition, String heldId, @Nullable String attestationId) {
    ProblemType type =
        disposition.equals("stale") && problem.type().status() == 409
            ? ProblemType.STALE
            : problem.type();
    return new ProblemDetails(type, problem.detail(), heldId, problem.errors(), problem.extras())
        .with("disposition", disposition)
        .with("attestation_id", attestationId)
        .with("reason", problem.detail());
  }
}
