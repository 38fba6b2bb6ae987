package dev.heldcall.kernel.route;

import dev.heldcall.plugin.api.WireName;

/** How a request to one witness provider stands. */
public enum RouteState implements WireName {
  /** It shall be asked, and was not yet. */
  WANTED("wanted"),
  /** It is being asked; after a crash nobody knows whether the request went out. */
  ASKING("asking"),
  /** The request is out, unanswered. */
  REQUESTED("requested"),
  /** It needs a governed call of its own first. */
  NESTED("nested"),
  /** It brought evidence, which was taken in. */
  ANSWERED("answered"),
  /** It was reached and cannot tell. */
  DEFERRED("deferred"),
  /** It could not be reached or understood; with a time to try again or without. */
  UNAVAILABLE("unavailable"),
  /** What it brought was not taken in. */
  REFUSED("refused"),
  /** Nobody knows whether the request went out, and it must not go out twice. */
  IN_DOUBT("in-doubt"),
  /** No longer wanted, and the other side does not know yet. */
  UNWANTED("unwanted"),
  /** Taken back. */
  WITHDRAWN("withdrawn");

  private final String wireName;

  RouteState(String wireName) {
    this.wireName = wireName;
  }

  @Override
  public String wireName() {
    return wireName;
  }

  /** The state spelt so. */
  public static RouteState of(String wireName) {
    return WireName.parse(RouteState.class, wireName);
  }

  /**
   * Whether nothing more comes of it by itself for those who wait: a dearer witness is asked then,
   * unless the evidence that it brought suffices.
   */
  public boolean exhausted() {
    return switch (this) {
      case ANSWERED, DEFERRED, UNAVAILABLE, REFUSED, IN_DOUBT -> true;
      case WANTED, ASKING, REQUESTED, NESTED, UNWANTED, WITHDRAWN -> false;
    };
  }
}
