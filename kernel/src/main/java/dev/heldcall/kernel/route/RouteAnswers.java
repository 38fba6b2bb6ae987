package dev.heldcall.kernel.route;

import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.WitnessAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a route comes to by what its provider says of the request, and nothing else. */
final class RouteAnswers {

  /** However soon a provider wants to look again, it is not sooner. */
  static final Duration SHORTEST_LOOK = Duration.ofSeconds(1);

  private RouteAnswers() {}

  /** The request is out. */
  static RouteRecord waiting(RouteRecord known, WitnessAnswer.Waiting waiting, Instant now) {
    if (!RouteRecord.fits(waiting.reference())) {
      return known.in(RouteState.UNAVAILABLE, "what it names the request by cannot be kept", null);
    }
    Duration after = waiting.lookAfter();
    Instant look =
        after == null ? null : now.plus(after.compareTo(SHORTEST_LOOK) < 0 ? SHORTEST_LOOK : after);
    return known.under(waiting.reference()).in(RouteState.REQUESTED, waiting.note(), look);
  }

  /**
   * After a failure: again later, if that is harmless. An ask that must not be repeated, and of
   * which it is not known whether it arrived, stays an ask whose outcome is to be found out.
   */
  static RouteRecord unavailable(
      RouteRecord known,
      WitnessAnswer.Unavailable unavailable,
      RoutePlan about,
      ProviderContract contract,
      Instant now) {
    boolean first = about instanceof RoutePlan.Ask || about instanceof RoutePlan.Recover;
    if (first && unavailable.again() && !contract.repeatable()) {
      return known.in(
          RouteState.ASKING, unavailable.reason(), RoutePlan.again(known.attempts(), now));
    }
    RouteRecord tried = first ? known : known.triedAgain();
    Instant again = unavailable.again() ? RoutePlan.again(tried.attempts(), now) : null;
    if (about instanceof RoutePlan.Resolve) {
      return again == null
          ? tried.under(null).in(RouteState.UNAVAILABLE, unavailable.reason(), null)
          : tried.in(RouteState.NESTED, unavailable.reason(), again);
    }
    return tried.in(RouteState.UNAVAILABLE, unavailable.reason(), again);
  }

  /** Nobody knows whether it was asked; why that is so may be known from before. */
  static RouteRecord inDoubt(RouteRecord known, WitnessAnswer.InDoubt inDoubt, RoutePlan about) {
    String why = known.note();
    if (why == null) {
      why = "the node ended while it was asking";
    }
    return known.in(
        RouteState.IN_DOUBT,
        about instanceof RoutePlan.Recover ? why + "; " + inDoubt.reason() : inDoubt.reason(),
        null);
  }

  /**
   * What is still to be written of what was learned and could not be written, over what the
   * database has by now.
   *
   * @param learned as it should have been written
   * @param found as it stands
   */
  static Optional<RouteRecord> stillTrue(RouteRecord learned, RouteRecord found) {
    if (found.round() != learned.round() || !found.key().equals(learned.key())) {
      return Optional.empty();
    }
    if (found.version() == learned.version()) {
      return Optional.of(learned);
    }
    String sent = learned.reference();
    boolean over = found.state() == RouteState.UNWANTED || found.state() == RouteState.WITHDRAWN;
    return switch (learned.state()) {
      case ANSWERED, DEFERRED, REFUSED ->
          learned.state() == found.state()
              ? Optional.empty()
              : Optional.of(
                  found
                      .under(sent == null ? found.reference() : sent)
                      .in(learned.state(), learned.note(), null));
      // It went out while it ceased to be wanted: whoever takes it back must know its name.
      case REQUESTED, UNAVAILABLE ->
          over && sent != null && found.reference() == null
              ? Optional.of(
                  found.under(sent).in(RouteState.UNWANTED, found.note(), found.updatedAt()))
              : Optional.empty();
      case WANTED, ASKING, NESTED, IN_DOUBT, UNWANTED, WITHDRAWN -> Optional.empty();
    };
  }
}
