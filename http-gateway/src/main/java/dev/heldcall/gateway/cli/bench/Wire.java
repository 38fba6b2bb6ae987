package dev.heldcall.gateway.cli.bench;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One kept-alive HTTP/1.1 connection to the node, one request at a time. It knows what a node's
 * answers look like and nothing more: a general client would cost as much as what is measured.
 */
final class Wire implements AutoCloseable {

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final String host;

  Wire(URI node) throws IOException {
    socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(node.getHost(), node.getPort()), 5_000);
    in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
    out = socket.getOutputStream();
    host = node.getHost() + ":" + node.getPort();
  }

  /**
   * An answer.
   *
   * @param status the HTTP status
   * @param body as text
   */
  record Answer(int status, String body) {

    /** The first string value of a field with this name. */
    String text(String name) {
      return text(name, 0);
    }

    /** The first one after the field {@code object}, which holds it. */
    String textIn(String object, String name) {
      return text(name, Math.max(0, body.indexOf('"' + object + "\":")));
    }

    private String text(String name, int from) {
      String start = '"' + name + "\":\"";
      int at = body.indexOf(start, from);
      if (at < 0) {
        throw new IllegalStateException("no " + name + " in " + status + " " + body);
      }
      int begin = at + start.length();
      return body.substring(begin, body.indexOf('"', begin));
    }
  }

  Answer post(String token, String path, String body) throws IOException {
    return send("POST", token, path, body);
  }

  Answer get(String token, String path) throws IOException {
    return send("GET", token, path, "");
  }

  private Answer send(String method, String token, String path, String body) throws IOException {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    String type = content.length == 0 ? "" : "Content-Type: application/json\r\n";
    byte[] head =
        (method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + token)
            .concat("\r\n" + type + "Content-Length: " + content.length + "\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1);
    byte[] whole = new byte[head.length + content.length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(content, 0, whole, head.length, content.length);
    out.write(whole);
    return answer();
  }

  private Answer answer() throws IOException {
    int status = Integer.parseInt(line().substring(9, 12));
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    byte[] body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException("the node closed the connection in an answer");
    }
    return new Answer(status, new String(body, StandardCharsets.UTF_8));
  }

  private String line() throws IOException {
    return line(in);
  }

  /** A line of a head, without its end. */
  static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder(64);
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection was closed");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
