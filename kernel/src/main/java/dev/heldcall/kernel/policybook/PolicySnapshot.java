package dev.heldcall.kernel.policybook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.policy.PolicyLayers;

/**
 * What was in force for an organization when the database was read.
 *
 * @param org the organization
 * @param epoch {@code floorRevision + documentRevision}; it grows with every adoption of either
 * @param layers this node's floor and tools under the organization's document
 * @param floorAgreed whether the cluster's floor is this node's; if not, this node takes no leases
 *     (the design, rule 8)
 * @param document the organization's document in canonical form; without rules if it has none
 * @param floorRevision the revision of the floor's book, 0 if no floor was adopted yet
 * @param documentRevision the revision of the organization's book, 0 if it is empty
 */
public record PolicySnapshot(
    String org,
    long epoch,
    PolicyLayers layers,
    boolean floorAgreed,
    JsonNode document,
    long floorRevision,
    long documentRevision) {

  public PolicySnapshot {
    if (epoch != floorRevision + documentRevision) {
      throw new IllegalArgumentException("the epoch is the sum of the revisions");
    }
  }
}
