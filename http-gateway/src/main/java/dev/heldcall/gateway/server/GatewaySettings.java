package dev.heldcall.gateway.server;

import dev.heldcall.config.HeldcallSettings;
import dev.heldcall.config.HttpSettings;
import dev.heldcall.config.LimitSettings;
import dev.heldcall.config.WitnessSettings;
import dev.heldcall.plugin.api.Principal;
import java.util.List;

/**
 * Where the gateway listens and what it bounds.
 *
 * @param http the interface and the port
 * @param limits the bounds
 * @param providers who the configured witness providers are, each with the class it is asked for
 */
public record GatewaySettings(HttpSettings http, LimitSettings limits, List<Principal> providers) {

  public GatewaySettings {
    providers = List.copyOf(providers);
  }

  /** What the configuration says. */
  public static GatewaySettings of(HeldcallSettings settings) {
    return new GatewaySettings(
        settings.http(),
        settings.limits(),
        settings.witnesses().values().stream()
            .filter(WitnessSettings::attestsItself)
            .map(WitnessSettings::identity)
            .toList());
  }
}
