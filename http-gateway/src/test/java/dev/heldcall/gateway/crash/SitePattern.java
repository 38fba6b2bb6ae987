package dev.heldcall.gateway.crash;

import java.util.List;
import java.util.Set;

/**
 * Calls that are sites: places in the product's byte code with a crash point before, after, or in a
 * callback that is given to them.
 *
 * @param kind what they do
 * @param owner the class they are called on, or its beginning with a {@code *}
 * @param names the methods
 * @param shape where the points are
 * @param scope what the class's full name begins with in which such a call is a site
 */
record SitePattern(Kind kind, String owner, Set<String> names, Shape shape, String scope) {

  /** Where a site has its points. */
  enum Shape {
    /** One before the call and one after it. */
    AROUND,
    /** Around, and the last argument says what exactly. */
    AROUND_DETAILED,
    /** Before only, for the call does not return to this thread with anything done. */
    BEFORE_DETAILED,
    /** In the callback that the last argument is: when it is called, and when it returns. */
    CALLBACK,
    /** As the whole method begins, and as it returns. */
    METHOD,
    /** Around each event that the handler which the method returns is given. */
    HANDLER;

    List<String> points() {
      return switch (this) {
        case AROUND, AROUND_DETAILED -> List.of("before", "after");
        case BEFORE_DETAILED -> List.of("before");
        case CALLBACK -> List.of("durable", "done");
        case METHOD -> List.of("entered", "left");
        case HANDLER -> List.of("applying", "applied");
      };
    }
  }

  /** Whether a call of the method is such a site when it stands in the class. */
  boolean matches(String inClass, String onClass, String method) {
    return inClass.startsWith(scope) && ownerMatches(onClass) && names.contains(method);
  }

  private boolean ownerMatches(String onClass) {
    return owner.endsWith("*")
        ? onClass.startsWith(owner.substring(0, owner.length() - 1))
        : onClass.equals(owner);
  }
}
