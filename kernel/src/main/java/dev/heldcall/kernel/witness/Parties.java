package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.PrincipalRef;
import java.util.HashMap;
import java.util.Map;

/**
 * Who counts as one where a contract asks for distinct identities: a principal, its delegates, and
 * their delegates. Two delegates of one principal are one as well, whether it attests or not: both
 * give its word. The order in which they were joined means nothing.
 */
public final class Parties {

  private final Map<PrincipalRef, PrincipalRef> towards = new HashMap<>();

  /** Makes a principal and whom it acts for one. */
  public void join(PrincipalRef delegate, PrincipalRef principal) {
    PrincipalRef one = of(delegate);
    PrincipalRef other = of(principal);
    int order = Tally.BY_NAME.compare(one, other);
    if (order < 0) {
      towards.put(other, one);
    } else if (order > 0) {
      towards.put(one, other);
    }
  }

  /** The one that stands for the identity's party: the first of it by name. */
  public PrincipalRef of(PrincipalRef identity) {
    PrincipalRef at = identity;
    for (PrincipalRef next = towards.get(at); next != null; next = towards.get(at)) {
      at = next;
    }
    return at;
  }
}
