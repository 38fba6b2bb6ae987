package dev.heldcall.gateway.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;

/** A client that sends exactly what it is told, byte for byte. */
final class RawClient implements AutoCloseable {

  private static final int READ_TIMEOUT_MILLIS = 20_000;

  private final Socket socket;

  RawClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(READ_TIMEOUT_MILLIS);
    socket.setTcpNoDelay(true);
  }

  /** Sends text; lines end as in HTTP. */
  RawClient send(String text) throws IOException {
    return send(text.replace("\n", "\r\n").getBytes(UTF_8));
  }

  RawClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** Reads one response: its head, and as much body as its Content-Length says. */
  String response() throws IOException {
    InputStream in = socket.getInputStream();
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return head.toString(ISO_8859_1);
      }
      head.write(next);
    }
    String text = head.toString(ISO_8859_1);
    int length = 0;
    for (String line : text.lines().toList()) {
      if (line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(line.indexOf(':') + 1).strip());
      }
    }
    return text + new String(in.readNBytes(length), UTF_8);
  }

  /** Whether the server has closed its side. */
  boolean ended() throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  /** Drops the connection without a goodbye. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
