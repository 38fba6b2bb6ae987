package dev.heldcall.plugin.api;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A kind of witness provider, found by {@link java.util.ServiceLoader}. It has a public constructor
 * without arguments.
 */
public interface WitnessProviderType {

  /** Its name in the configuration, such as {@code ci-checks}. */
  String kind();

  /** Whether asking twice under one request id is harmless, unless the configuration says else. */
  boolean repeatable();

  /**
   * Makes a provider of a configuration block.
   *
   * @param settings the block's {@code settings}, an object; keys as in the configuration
   * @throws InvalidProviderSettings naming the place, and what was expected there
   */
  WitnessProvider create(ProviderContract contract, JsonNode settings, ProviderServices services)
      throws InvalidProviderSettings;
}
