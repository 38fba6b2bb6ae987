package dev.heldcall.plugin.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a node's operator lets a witness provider be ({@code heldcall.witnesses} in the
 * configuration).
 *
 * @param id the provider's name, unique in the configuration
 * @param kind which {@link WitnessProviderType} made it
 * @param witnessClass the class it is asked for, and the only one it attests under
 * @param identity who its attestations are from: a principal with the role witness that holds the
 *     class. A provider that passes on people's words attests as those people instead
 * @param cost what asking it costs, in any unit, 0 or more: of several ways to satisfy a rule the
 *     dearer is asked only when every cheaper one has said that it cannot tell
 * @param timeout how long one call to the provider may take
 * @param patience how long a request may be out, from when it was first asked, before it counts as
 *     unavailable; null for as long as the call is held
 * @param repeatable whether asking twice under one request id is harmless on the other side
 * @param onNestedRefused what it means when a governed call of its own is refused
 * @param disclosure the most that it is shown of a call's arguments
 * @param validity how long its attestations count
 * @param maxAnswerBytes the most that is read of one answer from outside
 */
public record ProviderContract(
    String id,
    String kind,
    String witnessClass,
    Principal identity,
    int cost,
    Duration timeout,
    @Nullable Duration patience,
    boolean repeatable,
    OnNestedRefused onNestedRefused,
    Disclosure disclosure,
    Duration validity,
    long maxAnswerBytes) {

  public ProviderContract {
    if (cost < 0) {
      throw new IllegalArgumentException("a cost is 0 or more");
    }
    if (!identity.witnessClasses().contains(witnessClass)) {
      throw new IllegalArgumentException("the identity does not hold the class " + witnessClass);
    }
  }

  /** What a refused governed call of the provider's own counts as. */
  public enum OnNestedRefused implements WireName {
    /** The provider denies. */
    DENY("deny"),
    /** The provider cannot tell. */
    UNAVAILABLE("unavailable");

    private final String wireName;

    OnNestedRefused(String wireName) {
      this.wireName = wireName;
    }

    @Override
    public String wireName() {
      return wireName;
    }
  }
}
