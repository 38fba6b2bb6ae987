package dev.heldcall.kernel.call;

import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.PrincipalRef;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An organization's policy as some read found it.
 *
 * @param layers the compiled documents and the tool registry
 * @param epoch the epoch they stand for
 * @param fresh whether the read began after the command at hand arrived (rule 6): only then may a
 *     lease or a first ruling rest on it
 * @param floorAgreed whether this node's floor is the one the cluster adopted (rule 8)
 * @param capabilitiesNow what a principal holds now, or null if it is not known any more
 * @param roster who could attest under a class in this organization
 * @param keys how the keys stand that evidence was signed with
 */
public record PolicyInForce(
    PolicyLayers layers,
    long epoch,
    boolean fresh,
    boolean floorAgreed,
    Function<PrincipalRef, @Nullable SortedSet<String>> capabilitiesNow,
    Function<String, Collection<PrincipalRef>> roster,
    KeyStandings keys) {

  /** The proposer with only those of its capabilities that it held then and holds now. */
  Principal asOfNow(Principal proposer) {
    SortedSet<String> now = capabilitiesNow.apply(proposer.ref());
    TreeSet<String> both = new TreeSet<>(proposer.capabilities());
    if (now == null) {
      both.clear();
    } else {
      both.retainAll(now);
    }
    return new Principal(
        proposer.id(),
        proposer.org(),
        proposer.project(),
        proposer.roles(),
        proposer.witnessClasses(),
        both,
        proposer.onBehalfOf(),
        proposer.modelFamily());
  }
}
