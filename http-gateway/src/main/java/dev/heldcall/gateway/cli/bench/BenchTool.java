package dev.heldcall.gateway.cli.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The tool behind the measured calls: answers at once, and remembers when each call came. */
final class BenchTool implements AutoCloseable {

  private static final byte[] DONE =
      ("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n"
              + "Connection: close\r\n\r\n{\"status\":\"ok\"}")
          .getBytes(StandardCharsets.ISO_8859_1);

  private final ServerSocket server;
  private final Map<String, CompletableFuture<Long>> arrivals = new ConcurrentHashMap<>();
  private volatile boolean closed;

  private BenchTool(ServerSocket server) {
    this.server = server;
  }

  /** Opens on a free port of the loopback interface. */
  static BenchTool open() throws IOException {
    BenchTool tool = new BenchTool(new ServerSocket(0, 1024, InetAddress.getLoopbackAddress()));
    Thread.ofPlatform().daemon(true).name("bench-tool").start(tool::accept);
    return tool;
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  /**
   * When the effect of the call came, by {@link System#nanoTime}; forgotten once asked.
   *
   * @param patience how long it may still take to come
   * @throws IllegalStateException if it does not come
   */
  long takeArrival(String heldId, Duration patience) {
    try {
      return arrival(heldId).get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException | ExecutionException e) {
      throw new IllegalStateException("no effect of " + heldId + " within " + patience, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    } finally {
      arrivals.remove(heldId);
    }
  }

  private CompletableFuture<Long> arrival(String heldId) {
    return arrivals.computeIfAbsent(heldId, id -> new CompletableFuture<>());
  }

  private void accept() {
    while (!closed) {
      try {
        Socket connection = server.accept();
        Thread.ofVirtual().start(() -> serve(connection));
      } catch (IOException e) {
        if (!closed) {
          throw new UncheckedIOException("the benchmark's tool cannot accept", e);
        }
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      InputStream in = new BufferedInputStream(connection.getInputStream(), 8 * 1024);
      while (true) {
        long arrived = 0;
        int length = 0;
        String held = "";
        for (String line = Wire.line(in); !line.isEmpty(); line = Wire.line(in)) {
          arrived = arrived == 0 ? System.nanoTime() : arrived;
          String lower = line.toLowerCase(Locale.ROOT);
          if (lower.startsWith("content-length:")) {
            length = Integer.parseInt(line.substring(15).strip());
          } else if (lower.startsWith("heldcall-id:")) {
            held = line.substring(12).strip();
          }
        }
        in.skipNBytes(length);
        arrival(held).complete(arrived);
        connection.getOutputStream().write(DONE);
      }
    } catch (IOException e) {
      // the node has closed it: what it got, it got
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    server.close();
  }
}
