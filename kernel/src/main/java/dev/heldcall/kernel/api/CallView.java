package dev.heldcall.kernel.api;

import dev.heldcall.kernel.call.HeldCallFacts;
import java.time.Instant;
import java.util.List;

/**
 * A call as it stands.
 *
 * @param facts all that is known of it; never shown whole: the gateway renders what the viewer may
 *     see
 * @param sequence the journal sequence number, for the ETag
 * @param now the call's time when it was read
 * @param routes how the asking of witness providers stands, as last written
 */
public record CallView(HeldCallFacts facts, long sequence, Instant now, List<RouteView> routes) {

  public CallView {
    routes = List.copyOf(routes);
  }

  /** Without the routes to witnesses. */
  public CallView(HeldCallFacts facts, long sequence, Instant now) {
    this(facts, sequence, now, List.of());
  }

  /** With these. */
  CallView with(List<RouteView> shown) {
    return new CallView(facts, sequence, now, shown);
  }
}
