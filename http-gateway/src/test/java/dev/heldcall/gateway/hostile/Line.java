package dev.heldcall.gateway.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A connection on which anything can be sent. */
final class Line implements AutoCloseable {

  /**
   * What came back.
   *
   * @param head the status line and the headers
   */
  record Reply(int status, String head, String body) {}

  private final Socket socket;
  private final InputStream in;

  Line(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
  }

  /** The next final response, or null if the connection ends before it begins. */
  @Nullable Reply reply(int timeoutMillis) throws IOException {
    socket.setSoTimeout(timeoutMillis);
    while (true) {
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      int newlines = 0;
      while (newlines < 2) {
        int next = in.read();
        if (next < 0) {
          return null;
        }
        head.write(next);
        newlines = next == '\n' ? newlines + 1 : next == '\r' ? newlines : 0;
      }
      String text = head.toString(ISO_8859_1);
      int status = Integer.parseInt(text.substring(9, 12));
      if (status != 100) {
        return new Reply(status, text, new String(in.readNBytes(length(text, status)), UTF_8));
      }
    }
  }

  private static int length(String head, int status) {
    if (status == 204) {
      return 0;
    }
    for (String line : head.toLowerCase(Locale.ROOT).lines().toList()) {
      if (line.startsWith("content-length:")) {
        return Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    return 0;
  }

  /** Ends without a goodbye. */
  void drop() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
