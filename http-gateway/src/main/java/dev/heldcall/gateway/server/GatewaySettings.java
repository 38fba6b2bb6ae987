package dev.heldcall.gateway.server;

import dev.heldcall.config.HeldcallSettings;
import dev.heldcall.config.LimitSettings;
import java.time.Duration;

/**
 * Where the gateway listens and what it bounds.
 *
 * @param host the interface's address or name
 * @param port 1 to 65535, or 0 for any free port
 * @param limits the bounds that the kernel shares
 * @param maxWaiting requests that wait or read at once; over it 503
 * @param maxConnections connections at once; over it they are not accepted
 * @param bodyTimeout how long a body may take to arrive; over it 408
 * @param drainBytes how much of a refused body is read so that the client sees the refusal
 */
public record GatewaySettings(
    String host,
    int port,
    LimitSettings limits,
    int maxWaiting,
    int maxConnections,
    Duration bodyTimeout,
    long drainBytes) {

  private static final int MAX_WAITING = 4096;
  private static final int MAX_CONNECTIONS = 6144;
  private static final Duration BODY_TIMEOUT = Duration.ofSeconds(20);
  private static final long DRAIN_BYTES = 64L << 20;

  /** What the configuration says. */
  public static GatewaySettings of(HeldcallSettings settings) {
    return new GatewaySettings(
        settings.http().host(),
        settings.http().port(),
        settings.limits(),
        MAX_WAITING,
        MAX_CONNECTIONS,
        BODY_TIMEOUT,
        DRAIN_BYTES);
  }
}
