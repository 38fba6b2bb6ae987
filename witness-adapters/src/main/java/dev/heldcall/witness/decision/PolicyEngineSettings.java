package dev.heldcall.witness.decision;

import com.fasterxml.jackson.core.JsonPointer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@code policy-engine} provider.
 *
 * @param protocol how the service is spoken to
 * @param policy what the evidence calls the policy
 * @param token what to authenticate with, or null
 * @param maxAtOnce how many requests may be out at once
 * @param needs the places of the arguments that must be shown
 */
record PolicyEngineSettings(
    DecisionProtocol protocol,
    String policy,
    @Nullable String token,
    int maxAtOnce,
    List<JsonPointer> needs) {

  PolicyEngineSettings {
    needs = List.copyOf(needs);
  }

  @Override
  public String toString() {
    return "PolicyEngineSettings[" + policy + "]"; // never the token
  }
}
