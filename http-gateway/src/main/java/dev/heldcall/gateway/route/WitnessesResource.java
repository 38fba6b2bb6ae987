package dev.heldcall.gateway.route;

import dev.heldcall.kernel.api.HeldCalls;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * {@code POST /witnesses/{provider}/incoming}: where witness providers outside post their answers.
 * It takes no token, for those who post have none of ours: the provider checks their signature over
 * the bytes as they came.
 */
public final class WitnessesResource implements Endpoint.Resource {

  private final HeldCalls calls;

  /** Serves this kernel. */
  public WitnessesResource(HeldCalls calls) {
    this.calls = calls;
  }

  @Override
  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.post("/witnesses/{provider}/incoming", Access.OPEN, Load.WRITE, this::incoming)
            .with(BodyRule.BYTES));
  }

  private CompletionStage<Answer> incoming(Exchange exchange) {
    return Replies.render(
        calls.incoming(exchange.variable("provider"), exchange.bytes()), null, Answer::of);
  }
}
