package dev.heldcall.plugin.api;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Who is speaking, as authentication established it; never taken from a body (API.md, common
 * rules).
 *
 * @param id unique within its organization and project
 * @param org the organization; resources of another organization do not exist for it
 * @param project the project within the organization
 * @param roles what it may do
 * @param witnessClasses the witness classes it holds, such as {@code human}
 * @param capabilities what its calls may use, such as {@code payments.write}
 * @param onBehalfOf the principal it is a delegate of, or null
 * @param modelFamily the model family of a model principal, or null
 */
public record Principal(
    String id,
    String org,
    String project,
    Set<Role> roles,
    SortedSet<String> witnessClasses,
    SortedSet<String> capabilities,
    @Nullable String onBehalfOf,
    @Nullable String modelFamily) {

  public Principal {
    if (id.isEmpty() || org.isEmpty() || project.isEmpty()) {
      throw new IllegalArgumentException("a principal needs an id, an org and a project");
    }
    // In one order: the journal and a call's history must look the same from every process.
    EnumSet<Role> ordered = EnumSet.noneOf(Role.class);
    ordered.addAll(roles);
    roles = Collections.unmodifiableSet(ordered);
    witnessClasses = Collections.unmodifiableSortedSet(new TreeSet<>(witnessClasses));
    capabilities = Collections.unmodifiableSortedSet(new TreeSet<>(capabilities));
  }

  /** Whether it has the role. */
  public boolean has(Role role) {
    return roles.contains(role);
  }

  /** Its identity without what it may do. */
  public PrincipalRef ref() {
    return new PrincipalRef(org, project, id);
  }
}
