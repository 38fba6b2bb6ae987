package dev.heldcall.kernel.execute;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A tool on a bare socket, so that every byte of an answer, and every lack of one, is chosen. */
final class RawTool implements AutoCloseable {

  /** What it does with a connection before it reads anything. */
  interface OnConnect {
    void serve(RawTool tool, Socket socket) throws IOException;
  }

  /** What it does once it has the whole request. The connection is closed when it returns. */
  interface OnRequest {
    void serve(Socket socket) throws IOException;
  }

  /**
   * A request as received.
   *
   * @param line the request line
   * @param headers by name in lower case
   * @param body as UTF-8
   */
  record Received(String line, Map<String, String> headers, String body) {}

  private static final int CRLF_CRLF = 0x0d0a0d0a;

  private final ServerSocket server;
  private final AtomicInteger connections = new AtomicInteger();
  private final List<Received> requests = new CopyOnWriteArrayList<>();

  private RawTool(ServerSocket server, OnConnect script) {
    this.server = server;
    Thread.ofVirtual().start(() -> accept(script));
  }

  static RawTool onConnect(OnConnect script) {
    try {
      return on(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static RawTool on(ServerSocket server, OnConnect script) {
    return new RawTool(server, script);
  }

  static RawTool onRequest(OnRequest script) {
    return onConnect((tool, socket) -> tool.readThen(socket, script));
  }

  /** Answers these bytes to each request and closes. */
  static RawTool answering(String bytes) {
    return onRequest(socket -> write(socket, bytes));
  }

  static String answer(String status, String json) {
    return "HTTP/1.1 "
        + status
        + "\r\nContent-Type: application/json\r\nContent-Length: "
        + json.getBytes(UTF_8).length
        + "\r\n\r\n"
        + json;
  }

  static void write(Socket socket, String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(UTF_8));
    socket.getOutputStream().flush();
  }

  /** Returns when the other side has closed. */
  static void awaitClose(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    while (in.read() >= 0) {
      // whatever still comes
    }
  }

  void readThen(Socket socket, OnRequest script) throws IOException {
    requests.add(read(new BufferedInputStream(socket.getInputStream())));
    script.serve(socket);
  }

  String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  int port() {
    return server.getLocalPort();
  }

  int connections() {
    return connections.get();
  }

  List<Received> requests() {
    return List.copyOf(requests);
  }

  private void accept(OnConnect script) {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(socket, script));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket socket, OnConnect script) {
    try (socket) {
      script.serve(this, socket);
    } catch (IOException broken) {
      // the other side went away, which the test sees on its own side
    }
  }

  private static Received read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    int last4 = 0;
    while (last4 != CRLF_CRLF) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("closed within the head");
      }
      head.write(next);
      last4 = last4 << 8 | next;
    }
    List<String> lines = head.toString(ISO_8859_1).lines().toList();
    Map<String, String> headers = new TreeMap<>();
    for (String line : lines.subList(1, lines.size() - 1)) {
      int colon = line.indexOf(':');
      headers.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).trim(),
          (one, other) -> one + ", " + other);
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new Received(lines.getFirst(), headers, new String(in.readNBytes(length), UTF_8));
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
