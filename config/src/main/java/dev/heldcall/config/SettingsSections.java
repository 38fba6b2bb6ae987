package dev.heldcall.config;

import java.net.InetAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the blocks that are plain values; every default is in {@code reference.conf}. */
final class SettingsSections {

  private static final Duration MS = Duration.ofMillis(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final int MILLION = 1_000_000;
  private static final long MIB = 1L << 20;
  private static final Pattern SEED =
      Pattern.compile("[^\\s:/]+:([0-9]{1,5})|\\[[^\\]]+\\]:([0-9]{1,5})");

  private SettingsSections() {}

  static HttpSettings http(Section s) {
    String host = s.text("interface", "127.0.0.1");
    int port = s.integer("port", 0, 65_535);
    String publicUrl = s.optionalText("public-url");
    if (publicUrl != null && !publicUrl.matches("https?://[^\\s/?#@]+(/[^\\s?#]*)?")) {
      s.wrong("public-url", "an absolute http or https URL without query and fragment");
      publicUrl = null;
    }
    s.end();
    return new HttpSettings(host, port, publicUrl == null ? null : publicUrl.replaceAll("/+$", ""));
  }

  /** The well-known tokens open everything to whoever can reach the port. */
  static void refuseDevTokens(Section http, String host, AuthSettings auth) {
    if (!isLoopback(host) && auth.tokens().stream().anyMatch(DevTokens::isOne)) {
      http.wrong(
          "interface", "a loopback address, because the dev profile's tokens are configured");
    }
  }

  static boolean isLoopback(String host) {
    if (host.equals("localhost")) {
      return true;
    }
    try {
      return InetAddress.ofLiteral(host).isLoopbackAddress();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  static Path data(Section root) {
    String data = root.text("data", "data");
    try {
      return Path.of(data);
    } catch (InvalidPathException e) {
      root.wrong("data", "the path of a folder");
      return Path.of("data");
    }
  }

  static @Nullable DbSettings db(@Nullable Section s) {
    if (s == null) {
      return null;
    }
    String url = s.optionalText("url");
    String user = s.optionalText("user");
    String password = s.optionalText("password");
    s.end();
    if (url == null) {
      if (user != null || password != null) {
        s.wrong("url", "a JDBC URL, because a user or a password is given");
      }
      return null;
    }
    if (!url.startsWith("jdbc:postgresql:") && !url.startsWith("jdbc:h2:")) {
      s.wrong("url", "a JDBC URL that begins with jdbc:postgresql: or jdbc:h2:");
    }
    return new DbSettings(url, user, password);
  }

  static ClusterSettings cluster(Section s) {
    String host = s.text("host", "127.0.0.1");
    int port = s.integer("port", 0, 65_535);
    List<String> seeds = s.texts("seeds");
    for (String seed : seeds) {
      if (!SEED.matcher(seed).matches()) {
        s.wrong("seeds", "a list of host:port");
      }
    }
    s.end();
    return new ClusterSettings(host, port, seeds);
  }

  static EffectSettings effect(Section s) {
    EffectSettings effect =
        new EffectSettings(
            s.duration("settle", Duration.ZERO, HOUR, null),
            s.duration("dispatch-window", MS, Duration.ofMinutes(1), null),
            s.integer("max-attempts", 1, 100),
            s.bytes("max-answer", 1, 64 * MIB, null),
            s.duration("connect-timeout", MS, HOUR, null),
            s.integer("max-connections", 1, 100_000),
            s.duration("read-back-timeout", MS, HOUR, null),
            s.duration("read-back-pause", MS, HOUR, null),
            s.duration("read-back-pause-max", MS, Duration.ofDays(1), null));
    s.end();
    return effect;
  }

  static LimitSettings limits(Section s) {
    LimitSettings limits =
        new LimitSettings(
            s.bytes("max-body", 1024, 64 * MIB, null),
            s.integer("max-nesting", 1, 64),
            s.integer("max-in-flight", 1, MILLION),
            s.integer("max-waiting", 1, MILLION),
            s.integer("max-connections", 1, MILLION),
            s.duration("body-timeout", MS, HOUR, null),
            s.bytes("max-drain", 0, 1024 * MIB, null),
            s.integer("max-open-calls-per-session", 1, MILLION),
            s.integer("max-open-calls-per-principal", 1, 100 * MILLION),
            s.integer("max-dependencies", 1, 10_000),
            s.integer("max-dependency-depth", 1, 16),
            s.integer("max-refused-attestations", 1, 10_000),
            s.integer("max-evidence-items", 1, 10_000),
            s.integer("max-explain-lines", 1, 1_000),
            s.integer("max-history-items", 1, 100_000),
            s.integer("max-list-items", 1, 10_000),
            s.integer("default-list-items", 1, 10_000),
            s.integer("max-reconcile-rounds", 1, 1_000),
            s.duration("max-wait", MS, HOUR, null),
            s.duration("ask-timeout", MS, HOUR, null),
            s.duration("passivate-after", Duration.ofMillis(100), Duration.ofDays(1), null));
    s.end();
    return limits;
  }
}
