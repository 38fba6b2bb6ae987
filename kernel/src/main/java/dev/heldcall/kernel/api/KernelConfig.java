package dev.heldcall.kernel.api;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import dev.heldcall.config.HeldcallSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The actor system's configuration: what the settings say, over {@code heldcall-kernel.conf}. That
 * is no reference.conf, because which of those wins is a matter of the class path's order.
 */
final class KernelConfig {

  static final String SYSTEM = "heldcall";

  private KernelConfig() {}

  static Config of(HeldcallSettings settings, Config store) {
    Map<String, Object> values = new HashMap<>();
    values.put("pekko.remote.artery.canonical.hostname", settings.cluster().host());
    values.put("pekko.remote.artery.canonical.port", settings.cluster().port());
    // Founding joins by them, after a look at the database.
    values.put("pekko.cluster.seed-nodes", List.of());
    Config overlay = ConfigFactory.parseMap(values, "the cluster settings");
    return overlay
        .withFallback(store)
        .withFallback(settings.raw())
        .withFallback(ConfigFactory.parseResources("heldcall-kernel.conf"))
        .withFallback(ConfigFactory.defaultReference())
        .resolve();
  }
}
