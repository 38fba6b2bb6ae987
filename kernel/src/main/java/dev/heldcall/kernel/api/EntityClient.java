package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.entity.HeldCallEntity;
import dev.heldcall.kernel.entity.HeldCallProtocol;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;

/** Asks held calls, wherever in the cluster they are. */
final class EntityClient {

  /** An allowed call that runs is answered when it has run, at most this much later. */
  private static final Duration RUN = Duration.ofSeconds(62);

  /** How often a question that can be repeated is put within the time-out. */
  private static final int ASKED = 3;

  private final ClusterSharding sharding;
  private final Duration askTimeout;
  private final Leaving leaving;

  EntityClient(ClusterSharding sharding, Duration askTimeout, Leaving leaving) {
    this.sharding = sharding;
    this.askTimeout = askTimeout;
    this.leaving = leaving;
  }

  /** Gives a command. */
  CompletionStage<CallReply> execute(String heldId, HeldCallCommand command) {
    return canBeRepeated(command)
        ? AskedAgain.ask(() -> once(heldId, command), this::pause, ASKED)
        : once(heldId, command);
  }

  /** A third of the time that an answer may take. */
  private CompletableFuture<Void> pause() {
    return new CompletableFuture<Void>()
        .completeOnTimeout(null, askTimeout.toMillis() / ASKED, TimeUnit.MILLISECONDS);
  }

  /** Whether the same command again does nothing more, and is answered to the same effect. */
  private static boolean canBeRepeated(HeldCallCommand command) {
    return switch (command) {
      case HeldCallCommand.EditCall edit -> false;
      case HeldCallCommand.TakeLease lease -> lease.requestKey() != null;
      case HeldCallCommand.RefuseAttestation refuse -> false;
      case HeldCallCommand.ProposeCall propose -> true;
      case HeldCallCommand.Attest attest -> true;
      case HeldCallCommand.RevokeAttestation revoke -> true;
      case HeldCallCommand.CancelCall cancel -> true;
      case HeldCallCommand.ReportOutcome report -> true;
      case HeldCallCommand.ResolveOutcome resolve -> true;
      case HeldCallCommand.AcknowledgeDelivery acknowledge -> true;
      case HeldCallCommand.AnnounceChild announce -> true;
      case HeldCallCommand.EndWithParent end -> true;
      case HeldCallCommand.Tick tick -> true;
      case HeldCallCommand.ReportDispatch report -> false;
      case HeldCallCommand.ReportReadBack report -> false;
      case HeldCallCommand.ReportDependency report -> true;
      case HeldCallCommand.KernelCommand own -> false;
    };
  }

  private CompletionStage<CallReply> once(String heldId, HeldCallCommand command) {
    return sharding
        .entityRefFor(HeldCallEntity.KEY, heldId)
        .ask(replyTo -> new HeldCallProtocol.Execute(command, 0, replyTo), askTimeout);
  }

  /** Gives a command whose answer may wait for the call's conclusion. */
  CompletionStage<CallReply> executeAndWait(String heldId, HeldCallCommand command, Duration wait) {
    CompletionStage<CallReply> answer =
        sharding
            .entityRefFor(HeldCallEntity.KEY, heldId)
            .ask(
                replyTo -> new HeldCallProtocol.Execute(command, wait.toMillis(), replyTo),
                askTimeout.plus(RUN));
    // A proposal that is written down stands; whether an edit is, its call does not tell.
    return command instanceof HeldCallCommand.ProposeCall propose
        ? leaving.orNow(answer, () -> readNow(heldId), now -> standsWritten(now, propose))
        : answer;
  }

  private static boolean standsWritten(CallReply now, HeldCallCommand.ProposeCall propose) {
    return now.facts().proposed()
        && now.facts().ruling() != null
        && now.facts().requireSpec().proposalDigest().equals(propose.proposal().contentDigest());
  }

  /** Reads how the call stands now. */
  CompletionStage<HeldCallFacts> facts(String heldId) {
    return read(heldId, -1, Duration.ZERO).thenApply(CallReply::facts);
  }

  /** Reads how the call stands, at the latest after {@code wait}. */
  CompletionStage<CallReply> read(String heldId, long since, Duration wait) {
    if (wait.isZero()) {
      return readNow(heldId);
    }
    CompletionStage<CallReply> answer =
        sharding
            .entityRefFor(HeldCallEntity.KEY, heldId)
            .ask(
                replyTo -> new HeldCallProtocol.Read(since, wait.toMillis(), replyTo),
                askTimeout.plus(wait));
    return leaving.orNow(answer, () -> readNow(heldId), now -> true);
  }

  private CompletionStage<CallReply> readNow(String heldId) {
    return AskedAgain.ask(
        () ->
            sharding
                .entityRefFor(HeldCallEntity.KEY, heldId)
                .ask(replyTo -> new HeldCallProtocol.Read(-1, 0, replyTo), askTimeout),
        this::pause,
        ASKED);
  }

  /** A refusal as it is, anything else by {@code make}. */
  static <T> Reply<T> reply(CallReply reply, Function<CallReply, T> make) {
    return switch (reply.answer()) {
      case Answer.Refused refused -> new Reply.Refused<>(refused.rejection());
      case Answer.Stands stands -> new Reply.Ok<>(make.apply(reply));
      case Answer.Attested attested -> new Reply.Ok<>(make.apply(reply));
      case Answer.Leased leased -> new Reply.Ok<>(make.apply(reply));
      case Answer.FreshPolicyNeeded needed ->
          throw new IllegalStateException("an entity keeps this to itself");
    };
  }
}
