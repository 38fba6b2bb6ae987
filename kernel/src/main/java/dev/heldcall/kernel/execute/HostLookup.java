package dev.heldcall.kernel.execute;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Looks host names up within a bound of time. The platform's own look-up can neither be bounded nor
 * interrupted, and holds the carrier of a virtual thread: so it runs on a few threads of its own,
 * at most one for each name, however many ask for it.
 */
final class HostLookup {

  private static final int THREADS = 16;
  private static final int NAMES_WAITING = 1024;
  private static final long IDLE_SECONDS = 30;

  /** The platform's look-up, which caches what it finds. */
  @FunctionalInterface
  interface Resolver {
    InetAddress resolve(String host) throws UnknownHostException;
  }

  private final Resolver resolver;
  private final ThreadPoolExecutor threads;
  private final ConcurrentMap<String, CompletableFuture<InetAddress>> running =
      new ConcurrentHashMap<>();

  HostLookup(Resolver resolver) {
    this.resolver = resolver;
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(NAMES_WAITING),
            Thread.ofPlatform().daemon().name("host-lookup-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * The first address of a host.
   *
   * @param wait how long to wait for it
   * @throws java.util.concurrent.RejectedExecutionException if too many names wait to be looked up
   */
  InetAddress first(String host, Duration wait)
      throws UnknownHostException, TimeoutException, InterruptedException {
    InetAddress literal = literal(host);
    if (literal != null) {
      return literal;
    }
    try {
      return running.computeIfAbsent(host, this::started).get(wait.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof UnknownHostException unknown
          ? unknown
          : new UnknownHostException("the look-up failed");
    }
  }

  private CompletableFuture<InetAddress> started(String host) {
    CompletableFuture<InetAddress> found = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            found.complete(resolver.resolve(host));
          } catch (UnknownHostException | RuntimeException e) {
            found.completeExceptionally(e);
          } finally {
            running.remove(host, found);
          }
        });
    return found;
  }

  /** What needs no look-up. */
  private static @Nullable InetAddress literal(String host) {
    boolean digits = Character.digit(host.charAt(0), 10) >= 0;
    if (!digits && host.indexOf(':') < 0) {
      return null;
    }
    try {
      return InetAddress.ofLiteral(host);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
