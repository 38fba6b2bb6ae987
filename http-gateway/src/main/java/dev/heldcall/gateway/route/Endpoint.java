package dev.heldcall.gateway.route;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * One method of one path.
 *
 * @param method the HTTP method
 * @param path its template, such as {@code /held/{held_id}}
 * @param access who may use it
 * @param load which bound it counts for
 * @param body whether it takes a body
 * @param handler what it does
 */
public record Endpoint(
    String method, String path, Access access, Load load, BodyRule body, Handler handler) {

  /** What an endpoint does. */
  @FunctionalInterface
  public interface Handler {
    /** Answers; a failed stage means that the outcome is not known. */
    CompletionStage<Answer> handle(Exchange exchange);
  }

  /** The methods of some paths that belong together. */
  public interface Resource {
    /** All of them. */
    List<Endpoint> endpoints();
  }

  static Endpoint get(String path, Access access, Handler handler) {
    return new Endpoint("GET", path, access, Load.READ, BodyRule.NONE, handler);
  }

  static Endpoint post(String path, Access access, Load load, Handler handler) {
    return new Endpoint("POST", path, access, load, BodyRule.REQUIRED, handler);
  }

  Endpoint with(BodyRule rule) {
    return new Endpoint(method, path, access, load, rule, handler);
  }

  Endpoint with(Load other) {
    return new Endpoint(method, path, access, other, body, handler);
  }
}
