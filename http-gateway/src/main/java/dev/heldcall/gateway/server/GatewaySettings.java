package dev.heldcall.gateway.server;

import dev.heldcall.config.HeldcallSettings;
import dev.heldcall.config.HttpSettings;
import dev.heldcall.config.LimitSettings;

/**
 * Where the gateway listens and what it bounds.
 *
 * @param http the interface and the port
 * @param limits the bounds
 */
public record GatewaySettings(HttpSettings http, LimitSettings limits) {

  /** What the configuration says. */
  public static GatewaySettings of(HeldcallSettings settings) {
    return new GatewaySettings(settings.http(), settings.limits());
  }
}
