package dev.heldcall.kernel.route;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderContract.OnNestedRefused;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Contracts of witness providers, for tests. */
public final class Providers {

  /** How long one call to any of them may take. */
  public static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** The patience of those that have one. */
  public static final Duration PATIENCE = Duration.ofHours(1);

  private Providers() {}

  /** One that may be asked again and is patient for ever. */
  public static ProviderContract contract(String id, String witnessClass, int cost) {
    return contract(id, witnessClass, cost, true, null, OnNestedRefused.DENY);
  }

  /** One with all that tests tell apart. */
  public static ProviderContract contract(
      String id,
      String witnessClass,
      int cost,
      boolean repeatable,
      @Nullable Duration patience,
      OnNestedRefused onNestedRefused) {
    Principal identity = CoreFixtures.witness("provider-" + id, witnessClass);
    return new ProviderContract(
        id,
        "scripted",
        witnessClass,
        identity,
        cost,
        TIMEOUT,
        patience,
        repeatable,
        onNestedRefused,
        Disclosure.FULL,
        Duration.ofHours(1),
        1024);
  }
}
