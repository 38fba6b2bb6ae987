package dev.heldcall.kernel.route;

import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Where routes are kept. Stages fail if the database does not answer. */
public interface RouteStore {

  /** The route as it is, made if there is none. */
  CompletionStage<RouteRecord> open(RouteRecord ifAbsent);

  /**
   * Writes a route over the version that it has.
   *
   * @return the route with its new version, or empty if somebody else wrote it since: then nothing
   *     is written
   */
  CompletionStage<Optional<RouteRecord>> save(RouteRecord route);
}
