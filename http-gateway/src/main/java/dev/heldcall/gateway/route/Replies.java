package dev.heldcall.gateway.route;

import dev.heldcall.gateway.error.ProblemDetails;
import dev.heldcall.kernel.api.Reply;
import dev.heldcall.kernel.call.Rejection;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns the kernel's replies into answers. */
final class Replies {

  private Replies() {}

  /** Renders the value, or the refusal as it is. */
  static <T> CompletionStage<Answer> render(
      CompletionStage<Reply<T>> reply, @Nullable String heldId, Function<T, Answer> ok) {
    return renderBoth(reply, ok, rejection -> refused(rejection, heldId));
  }

  /** Renders the value, or the refusal in a way of its own. */
  static <T> CompletionStage<Answer> renderBoth(
      CompletionStage<Reply<T>> reply,
      Function<T, Answer> ok,
      Function<Rejection, Answer> refused) {
    return reply.thenApply(
        result ->
            switch (result) {
              case Reply.Ok<T>(T value) -> ok.apply(value);
              case Reply.Refused<T>(Rejection rejection) -> refused.apply(rejection);
            });
  }

  static Answer refused(Rejection rejection, @Nullable String heldId) {
    return Answer.of(ProblemDetails.of(rejection, heldId));
  }
}
