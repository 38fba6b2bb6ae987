package dev.heldcall.gateway.crash;

import org.apache.pekko.japi.function.Function;
import org.apache.pekko.japi.function.Procedure;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;

/** Callbacks with a point as they are called and one as they return. */
public final class Callbacks {

  private Callbacks() {}

  /** Around what an entity does once its events are written. */
  public static <T> Procedure<T> procedure(Procedure<T> callback, String before, String after) {
    String detail = CrashPoints.lastDetail();
    return state -> {
      CrashPoints.hitWith(detail, before);
      callback.apply(state);
      CrashPoints.hitWith(detail, after);
    };
  }

  /** Around what makes an entity's reply once its events are written. */
  public static <T, R> Function<T, R> function(
      Function<T, R> callback, String before, String after) {
    String detail = CrashPoints.lastDetail();
    return state -> {
      CrashPoints.hitWith(detail, before);
      R reply = callback.apply(state);
      CrashPoints.hitWith(detail, after);
      return reply;
    };
  }

  /** Around what an entity makes of an event, as it comes back or as it goes on. */
  public static <S, E> EventHandler<S, E> handler(
      EventHandler<S, E> handler, String before, String after) {
    return (state, event) -> {
      CrashPoints.hit(event, before);
      S result = handler.apply(state, event);
      CrashPoints.hit(event, after);
      return result;
    };
  }
}
