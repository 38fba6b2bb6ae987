package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import org.jspecify.annotations.Nullable;

/** Renders a contract: what its digest covers, and the digest. */
final class ContractJson {

  private ContractJson() {}

  /** The contract of a ruling, or null if it asks for none. */
  static @Nullable ObjectNode of(@Nullable Ruling ruling) {
    Contract contract = ruling == null ? null : ruling.contract();
    if (ruling == null || contract == null) {
      return null;
    }
    ObjectNode node = Digests.contractJson(contract);
    Digest digest = ruling.contractDigest();
    node.put("digest", (digest == null ? Digests.contract(contract) : digest).value());
    return node;
  }
}
