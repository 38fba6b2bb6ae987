package dev.heldcall.kernel.execute;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorSystem;
import org.jspecify.annotations.Nullable;
import scala.concurrent.ExecutionContext;

/**
 * Sends one HTTP/1.1 request on one fresh TCP connection, and never a second one.
 *
 * <p>Why no pool: a pooled connection that the other side just closed makes "closed before the
 * request" and "closed after the effect" look the same, and pools retry. Here the request is
 * written only once the connection is open, and over TLS only once the handshake is done; right
 * before its first byte it passes a {@link SendGate}. A failure before that byte is proof of no
 * effect; any failure after it, up to the end of an answer's head, is {@link Exchange.Broken}.
 *
 * <p>Interim answers (1xx) are passed over, redirects are not followed, and reasons are in the
 * kernel's own words: nothing that a tool sent gets into them, nor into a log.
 *
 * <p>Each exchange blocks a virtual thread of its own, see {@link ExchangeRun}. Why not streams: a
 * connection lives for one exchange, and a stream's layers cost more to set up than the exchange.
 */
public final class ToolClient {

  private final ActorSystem<?> system;
  private final SSLSocketFactory tls;
  private final long maxAnswerBytes;
  private final HostLookup hosts;
  private final Semaphore connections;
  private final Set<ExchangeRun> running = ConcurrentHashMap.newKeySet();
  private final ExecutionContext cutting =
      ExecutionContext.fromExecutor(action -> Thread.ofVirtual().name("tool-cut").start(action));

  /**
   * A client.
   *
   * @param system runs the timers, and ends what still runs when it ends
   * @param tls whom to trust; host names are always checked
   * @param maxAnswerBytes how much of an answer's body is kept, 1 or more
   * @param maxConnections how many connections are open at once, 1 or more; further exchanges wait
   *     for one as long as they may to send
   */
  public ToolClient(
      ActorSystem<?> system, SSLContext tls, long maxAnswerBytes, int maxConnections) {
    this(system, tls, maxAnswerBytes, maxConnections, new HostLookup(InetAddress::getByName));
  }

  ToolClient(
      ActorSystem<?> system,
      SSLContext tls,
      long maxAnswerBytes,
      int maxConnections,
      HostLookup hosts) {
    this.system = system;
    this.tls = tls.getSocketFactory();
    this.maxAnswerBytes = maxAnswerBytes;
    this.connections = new Semaphore(maxConnections, true);
    this.hosts = hosts;
    system.getWhenTerminated().whenComplete((done, failure) -> running.forEach(ExchangeRun::stop));
  }

  /**
   * The bounds of one exchange.
   *
   * @param toSend until the first byte has left; over it, the request is not sent
   * @param whole until the answer's end, 1 ms or more
   */
  record Bounds(Duration toSend, Duration whole) {}

  /**
   * Makes one exchange. The stage never fails.
   *
   * @param objection asked right before the first byte leaves: why it must not, or null
   */
  CompletionStage<Exchange> exchange(
      ToolAddress address,
      ToolRequest request,
      Bounds bounds,
      Supplier<@Nullable String> objection) {
    byte[] bytes;
    try {
      bytes = request.bytes(address);
    } catch (IllegalArgumentException e) {
      return CompletableFuture.completedStage(
          new Exchange.NotSent("no request could be made of it"));
    }
    ExchangeRun run = new ExchangeRun(this, address, bytes, bounds, new SendGate(objection));
    Thread.ofVirtual().name("tool-exchange").start(run);
    return run.outcome();
  }

  /** Counts among what ends with the actor system, until {@link #ended}. */
  void started(ExchangeRun run) {
    running.add(run);
  }

  void ended(ExchangeRun run) {
    running.remove(run);
  }

  /** Runs the action once, at its earliest after the delay, and not on the timers' thread. */
  Cancellable after(Duration delay, Runnable action) {
    return system.scheduler().scheduleOnce(delay, action, cutting);
  }

  SSLSocketFactory tls() {
    return tls;
  }

  HostLookup hosts() {
    return hosts;
  }

  Semaphore connections() {
    return connections;
  }

  long maxAnswerBytes() {
    return maxAnswerBytes;
  }
}
