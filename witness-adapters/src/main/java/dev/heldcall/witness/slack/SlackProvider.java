package dev.heldcall.witness.slack;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Asks people in a Slack channel by a message with buttons, and passes on what they click. Slack
 * posts as often as it is told to, so a message of which nobody knows whether it went out is looked
 * for in the channel, and posted only if it is certainly not there.
 */
final class SlackProvider implements WitnessProvider {

  private final ProviderContract contract;
  private final SlackSettings settings;
  private final InstantSource clock;
  private final SlackApi api;
  private final SlackRecovery recovery;
  private final SlackClicks clicks;

  SlackProvider(ProviderContract contract, SlackSettings settings, ProviderServices services) {
    this.contract = contract;
    this.settings = settings;
    this.clock = services.clock();
    this.api = new SlackApi(settings, contract, services);
    this.recovery =
        new SlackRecovery(
            api, settings.historyPage(), contract.timeout().dividedBy(2), services.clock());
    this.clicks = new SlackClicks(contract, settings, api);
  }

  /** Where the configuration lets it be asked again, it looks before it posts, every time. */
  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    if (contract.repeatable()) {
      return recover(request);
    }
    String channel = settings.channels().of(request.tool());
    return channel == null ? noChannel() : post(request, channel);
  }

  private static CompletableFuture<WitnessAnswer> noChannel() {
    return CompletableFuture.completedFuture(
        new WitnessAnswer.Unavailable("no channel is configured for this tool", false));
  }

  private CompletableFuture<WitnessAnswer> post(WitnessRequest request, String channel) {
    return api.change("chat.postMessage", RequestMessage.asking(request, channel))
        .thenApply(
            reply ->
                switch (reply) {
                  case SlackApi.Reply.Failed(String why, boolean again) ->
                      new WitnessAnswer.Unavailable(why, again);
                  case SlackApi.Reply.Done(JsonNode body) ->
                      posted(
                          SlackReference.of(
                              body.path("channel").asText(), body.path("ts").asText()));
                });
  }

  private static WitnessAnswer posted(@Nullable SlackReference message) {
    return message == null
        ? new WitnessAnswer.Unavailable(
            "chat.postMessage failed: it does not say which message it posted", true)
        : waiting(message);
  }

  private static WitnessAnswer waiting(SlackReference message) {
    return new WitnessAnswer.Waiting(
        message.text(), null, "the message is posted; a click is waited for");
  }

  @Override
  public CompletionStage<WitnessAnswer> recover(WitnessRequest request) {
    String channel = settings.channels().of(request.tool());
    if (channel == null) {
      return noChannel();
    }
    return recovery
        .look(request, channel)
        .thenCompose(
            found ->
                switch (found) {
                  case SlackRecovery.Found.There(SlackReference message) ->
                      CompletableFuture.completedFuture(waiting(message));
                  case SlackRecovery.Found.NotThere() -> post(request, channel);
                  case SlackRecovery.Found.NotKnown(String why, boolean again) ->
                      CompletableFuture.completedFuture(
                          new WitnessAnswer.Unavailable(
                              "whether the message was posted is not known: " + why, again));
                  case SlackRecovery.Found.Lost(String why) ->
                      CompletableFuture.completedFuture(
                          new WitnessAnswer.InDoubt(
                              "whether the message was posted is not known, and it is not posted"
                                  + " twice: "
                                  + why));
                });
  }

  @Override
  public List<Duration> remindBefore() {
    return settings.remindBefore();
  }

  @Override
  public CompletionStage<Void> remind(WitnessRequest request, String reference) {
    SlackReference message = SlackReference.read(reference);
    return message == null
        ? CompletableFuture.completedFuture(null)
        : settled(api.change("chat.postMessage", RequestMessage.reminder(request, message)));
  }

  @Override
  public CompletionStage<Void> withdraw(WitnessWithdrawal withdrawal) {
    SlackReference message = SlackReference.read(withdrawal.reference());
    return message == null
        ? CompletableFuture.completedFuture(null)
        : settled(api.change("chat.update", RequestMessage.over(withdrawal, message)));
  }

  /** Fails if the same may be done later, and not for what will never be. */
  private static CompletableFuture<Void> settled(CompletableFuture<SlackApi.Reply> reply) {
    return reply.thenCompose(
        came ->
            came instanceof SlackApi.Reply.Failed(String why, boolean again) && again
                ? CompletableFuture.failedFuture(new IllegalStateException(why))
                : CompletableFuture.completedFuture(null));
  }

  @Override
  public IncomingWitness incoming(IncomingMessage message) {
    return clicks.incoming(message, clock.instant());
  }

  @Override
  public void close() {
    api.close();
  }
}
