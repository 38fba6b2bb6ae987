package dev.heldcall.witness.inbox;

import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import dev.heldcall.witness.inbox.Timeline.Period;
import dev.heldcall.witness.webhook.WebhookSender;
import dev.heldcall.witness.webhook.WebhookTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Assigns requests to people, who decide in the inbox under their own tokens; it routes and
 * reminds, and brings no attestation. What was told to whom is in the reference, which the kernel
 * keeps.
 */
final class InboxProvider implements WitnessProvider {

  /** Ends a reference whose people are not told yet. */
  private static final String NOT_TOLD = " (not told yet)";

  /** When telling them is tried again. */
  private static final Duration TELL_AGAIN = Duration.ofMinutes(1);

  private static final Duration SOONEST = Duration.ofSeconds(1);

  private final InboxSettings settings;
  private final ProviderServices services;
  private final @Nullable WebhookSender sender;

  InboxProvider(ProviderContract contract, InboxSettings settings, ProviderServices services) {
    this.settings = settings;
    this.services = services;
    WebhookTarget tell = settings.tell();
    this.sender = tell == null ? null : new WebhookSender(tell, contract, services);
  }

  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    return stands(request, null);
  }

  @Override
  public CompletionStage<WitnessAnswer> look(WitnessRequest request, String reference) {
    return stands(request, reference);
  }

  /**
   * How it is assigned now; whom it is assigned to is told, unless they were.
   *
   * @param told the reference that was last answered, or null
   */
  private CompletionStage<WitnessAnswer> stands(WitnessRequest request, @Nullable String told) {
    Instant now = services.clock().instant();
    Timeline timeline = Timeline.of(request, settings);
    Period period = timeline.at(now);
    String text = period.assignment().text();
    if (sender == null || text.equals(told)) {
      return CompletableFuture.completedFuture(waiting(request, timeline, now, text, null));
    }
    return sender
        .requested(request, noticeId(request, period), assignedTo(period), people(period))
        .thenApply(
            sent ->
                sent instanceof WebhookSender.Sent.NotTaken(String why, boolean again)
                    ? waiting(request, timeline, now, again ? text + NOT_TOLD : text, why)
                    : waiting(request, timeline, now, text, null));
  }

  /** The same for the same period, however often it is sent. */
  private static String noticeId(WitnessRequest request, Period period) {
    return request.requestId() + ".assigned." + period.from().toEpochMilli();
  }

  private static @Nullable String assignedTo(Period period) {
    return period.assignment().to();
  }

  private static List<String> people(Period period) {
    return period.assignment().people();
  }

  private WitnessAnswer waiting(
      WitnessRequest request,
      Timeline timeline,
      Instant now,
      String reference,
      @Nullable String problem) {
    Instant next =
        Stream.concat(timeline.after(now).map(Period::from).stream(), reminders(request, now))
            .min(Instant::compareTo)
            .orElse(null);
    Duration after = next == null ? null : Duration.between(now, next);
    if (reference.endsWith(NOT_TOLD) && (after == null || after.compareTo(TELL_AGAIN) > 0)) {
      after = TELL_AGAIN;
    }
    return new WitnessAnswer.Waiting(
        reference,
        after == null || after.compareTo(SOONEST) > 0 ? after : SOONEST,
        note(request, timeline, now, problem));
  }

  private Stream<Instant> reminders(WitnessRequest request, Instant now) {
    Instant end = request.expiresAt();
    return end == null
        ? Stream.empty()
        : settings.remind().stream().map(end::minus).filter(each -> each.isAfter(now));
  }

  private String note(
      WitnessRequest request, Timeline timeline, Instant now, @Nullable String problem) {
    Period period = timeline.at(now);
    StringBuilder note = new StringBuilder("assigned to ").append(period.assignment().text());
    Instant end = request.expiresAt();
    if (end != null
        && settings.remind().stream().map(end::minus).anyMatch(at -> !at.isAfter(now))) {
      note.append("; reminded: its time ends at ").append(end);
    }
    if (problem != null) {
      note.append("; nobody was told: ").append(problem);
    }
    timeline
        .after(now)
        .ifPresent(
            next ->
                note.append("; from ")
                    .append(next.from())
                    .append(" to ")
                    .append(next.assignment().text()));
    return note.toString();
  }

  @Override
  public List<Duration> remindBefore() {
    return settings.remind();
  }

  /** The people of the inbox see it there; those who are told elsewhere are told again. */
  @Override
  public CompletionStage<Void> remind(WitnessRequest request, String reference) {
    if (sender == null) {
      return CompletableFuture.completedFuture(null);
    }
    Period period = Timeline.of(request, settings).at(services.clock().instant());
    return WebhookSender.settled(sender.reminder(request, assignedTo(period), people(period)));
  }

  @Override
  public CompletionStage<Void> withdraw(WitnessWithdrawal withdrawal) {
    return sender == null
        ? CompletableFuture.completedFuture(null)
        : WebhookSender.settled(sender.withdrawn(withdrawal));
  }

  @Override
  public void close() {
    if (sender != null) {
      sender.close();
    }
  }
}
