package dev.heldcall.kernel.policybook;

import dev.heldcall.kernel.policy.PolicyException;
import dev.heldcall.kernel.policy.PolicyLayers;
import org.jspecify.annotations.Nullable;

/**
 * An organization's book with its document compiled. Either the layers are there or the problem is.
 *
 * @param book where the journal was read up to
 * @param layers the node's floor under the document
 * @param problem why the document cannot be used, with the place
 */
record OrganizationPolicy(Book book, @Nullable PolicyLayers layers, @Nullable String problem) {

  /** Compiles the document of the book, or nothing if it has none. */
  static OrganizationPolicy compile(Book book, PolicyLayers base) {
    try {
      return new OrganizationPolicy(book, base.withOrganization(book.state().document()), null);
    } catch (PolicyException e) {
      return new OrganizationPolicy(book, null, e.getMessage());
    }
  }
}
