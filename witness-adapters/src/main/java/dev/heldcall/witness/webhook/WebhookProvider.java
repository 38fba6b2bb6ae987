package dev.heldcall.witness.webhook;

import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingReply.RefusalKind;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import dev.heldcall.witness.evidence.ForeignText;
import dev.heldcall.witness.evidence.MalformedJson;
import dev.heldcall.witness.evidence.PostedReplies;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Tells a service of requests, and takes in the words of people that it posts. The signature says
 * that the service posts them; whom each of its names stands for, the settings say; whether that
 * person may witness the call, the kernel.
 */
final class WebhookProvider implements WitnessProvider {

  private final ProviderContract contract;
  private final WebhookSettings settings;
  private final ProviderServices services;
  private final WebhookSender sender;

  WebhookProvider(ProviderContract contract, WebhookSettings settings, ProviderServices services) {
    this.contract = contract;
    this.settings = settings;
    this.services = services;
    this.sender = new WebhookSender(settings.target(), contract, services);
  }

  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    return sender
        .requested(request)
        .thenApply(
            sent ->
                switch (sent) {
                  case WebhookSender.Sent.Taken() ->
                      new WitnessAnswer.Waiting(
                          request.requestId(),
                          null,
                          "the service has it; its answer is waited for");
                  case WebhookSender.Sent.NotTaken(String why, boolean again) ->
                      new WitnessAnswer.Unavailable(why, again);
                });
  }

  @Override
  public List<Duration> remindBefore() {
    return settings.remindBefore();
  }

  @Override
  public CompletionStage<Void> remind(WitnessRequest request, String reference) {
    return WebhookSender.settled(sender.reminder(request));
  }

  @Override
  public CompletionStage<Void> withdraw(WitnessWithdrawal withdrawal) {
    return WebhookSender.settled(sender.withdrawn(withdrawal));
  }

  @Override
  public IncomingWitness incoming(IncomingMessage message) {
    String problem = settings.target().keys().problem(message, services.clock().instant());
    if (problem != null) {
      return PostedReplies.refused(RefusalKind.UNAUTHENTICATED, problem);
    }
    byte[] body = message.body();
    if (body.length > contract.maxAnswerBytes()) {
      return PostedReplies.refused(
          RefusalKind.TOO_LARGE,
          "the body is over " + contract.maxAnswerBytes() + " bytes (max-answer)");
    }
    try {
      return vote(PostedVote.read(body));
    } catch (MalformedJson e) {
      return PostedReplies.refused(RefusalKind.MALFORMED, e.reason());
    }
  }

  private IncomingWitness vote(PostedVote posted) {
    @Nullable PrincipalRef person = settings.people().get(posted.witness());
    if (person == null) {
      String why =
          "nobody is configured under the name '" + ForeignText.line(posted.witness()) + "'";
      return new IncomingWitness.Refused(
          posted.heldId(),
          "by way of " + contract.id() + ": " + why,
          PostedReplies.refusal(RefusalKind.FORBIDDEN, why));
    }
    Attestation attestation = posted.attestation(person, contract);
    return new IncomingWitness.Vote(
        posted.heldId(),
        person,
        attestation,
        outcome -> PostedReplies.of(posted.heldId(), attestation.attestationId(), outcome));
  }

  @Override
  public void close() {
    sender.close();
  }
}
