package dev.heldcall.kernel.codec;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;

/** The kernel's own serializers for an actor system of a test that forms no cluster. */
public final class KernelSerialization {

  private KernelSerialization() {}

  /** The kernel's Pekko settings without a cluster, under those of the test, resolved. */
  public static Config under(Config test) {
    return ConfigFactory.load(
        ConfigFactory.parseString(
                """
                pekko.actor.provider = local
                pekko.actor.testkit.typed.single-expect-default = 60s
                """)
            .withFallback(test)
            .withFallback(ConfigFactory.parseResources("heldcall-kernel.conf")));
  }
}
