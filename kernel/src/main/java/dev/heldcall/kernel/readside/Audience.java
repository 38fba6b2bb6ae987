package dev.heldcall.kernel.readside;

import dev.heldcall.plugin.api.PrincipalRef;
import java.util.Set;

/** Whose list it is: what of an organization's calls somebody may see. */
public sealed interface Audience {

  /** The organization; nobody sees another's calls. */
  String org();

  /**
   * Sees every call of the organization.
   *
   * @param org the organization
   */
  record Operator(String org) implements Audience {}

  /**
   * Sees its own calls, and those that wait for one of its classes.
   *
   * @param self the identity whose proposals these are
   * @param witnessClasses the classes it holds; empty for one who only proposes
   */
  record Member(PrincipalRef self, Set<String> witnessClasses) implements Audience {

    public Member {
      witnessClasses = Set.copyOf(witnessClasses);
    }

    @Override
    public String org() {
      return self.org();
    }
  }
}
