package dev.heldcall.kernel.execute;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where a tool listens.
 *
 * @param secure whether over TLS
 * @param host a name or a literal address, an IPv6 one without its brackets; lower case
 * @param port 1 to 65535
 * @param hostHeader how a request names host and port
 * @param target the path with the query, as spelt in the URL
 */
record ToolAddress(boolean secure, String host, int port, String hostHeader, String target) {

  private static final int HTTP = 80;
  private static final int HTTPS = 443;
  private static final int LAST_PORT = 65_535;

  /**
   * The address that a URL names.
   *
   * @throws IllegalArgumentException if it is no absolute http or https URL with a host; the
   *     message does not repeat it
   */
  static ToolAddress of(@Nullable String url) {
    URI uri = parsed(url);
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    boolean secure = scheme.equals("https");
    if (uri.getHost() == null || !(secure || scheme.equals("http"))) {
      throw new IllegalArgumentException("the tool's url is no absolute http or https URL");
    }
    int standard = secure ? HTTPS : HTTP;
    int port = uri.getPort() > 0 ? uri.getPort() : standard;
    if (port > LAST_PORT) {
      throw unusable();
    }
    String name = uri.getHost().toLowerCase(Locale.ROOT);
    String host = name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
    String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String target = uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    return new ToolAddress(secure, host, port, port == standard ? name : name + ":" + port, target);
  }

  private static URI parsed(@Nullable String url) {
    try {
      URI uri = new URI(String.valueOf(url));
      return uri.toString().chars().allMatch(c -> c < 0x80) ? uri : new URI(uri.toASCIIString());
    } catch (URISyntaxException e) {
      throw unusable();
    }
  }

  private static IllegalArgumentException unusable() {
    return new IllegalArgumentException("the tool's url cannot be used");
  }
}
