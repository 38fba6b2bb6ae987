package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.entity.HeldCallEntity;
import dev.heldcall.kernel.entity.HeldCallProtocol;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;

/** Asks held calls, wherever in the cluster they are. */
final class EntityClient {

  /** An allowed call that runs is answered when it has run, at most this much later. */
  private static final Duration RUN = Duration.ofSeconds(62);

  private final ClusterSharding sharding;
  private final Duration askTimeout;

  EntityClient(ClusterSharding sharding, Duration askTimeout) {
    this.sharding = sharding;
    this.askTimeout = askTimeout;
  }

  /** Gives a command. */
  CompletionStage<CallReply> execute(String heldId, HeldCallCommand command) {
    return sharding
        .entityRefFor(HeldCallEntity.KEY, heldId)
        .ask(replyTo -> new HeldCallProtocol.Execute(command, 0, replyTo), askTimeout);
  }

  /** Gives a command whose answer may wait for the call's conclusion. */
  CompletionStage<CallReply> executeAndWait(String heldId, HeldCallCommand command, Duration wait) {
    return sharding
        .entityRefFor(HeldCallEntity.KEY, heldId)
        .ask(
            replyTo -> new HeldCallProtocol.Execute(command, wait.toMillis(), replyTo),
            askTimeout.plus(RUN));
  }

  /** Reads how the call stands now. */
  CompletionStage<HeldCallFacts> facts(String heldId) {
    return read(heldId, -1, Duration.ZERO).thenApply(CallReply::facts);
  }

  /** Reads how the call stands, at the latest after {@code wait}. */
  CompletionStage<CallReply> read(String heldId, long since, Duration wait) {
    return sharding
        .entityRefFor(HeldCallEntity.KEY, heldId)
        .ask(
            replyTo -> new HeldCallProtocol.Read(since, wait.toMillis(), replyTo),
            askTimeout.plus(wait));
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
