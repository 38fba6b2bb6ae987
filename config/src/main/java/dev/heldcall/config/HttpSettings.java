package dev.heldcall.config;

import org.jspecify.annotations.Nullable;

/**
 * Where the gateway listens ({@code heldcall.http}).
 *
 * @param host the interface's address or name ({@code http.interface})
 * @param port 1 to 65535, or 0 for any free port
 * @param publicUrl where people reach this cluster, without a slash at its end, or null; links in
 *     messages to witnesses begin with it
 */
public record HttpSettings(String host, int port, @Nullable String publicUrl) {

  /** Without a public URL. */
  public HttpSettings(String host, int port) {
    this(host, port, null);
  }
}
