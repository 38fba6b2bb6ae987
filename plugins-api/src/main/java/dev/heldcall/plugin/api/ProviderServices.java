package dev.heldcall.plugin.api;

import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What a node lends to its providers.
 *
 * @param clock the node's clock
 * @param blocking runs work that may block, a virtual thread each
 */
public record ProviderServices(InstantSource clock, Executor blocking) {}
