package dev.heldcall.kernel.execute;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request to a tool, without the tool's address.
 *
 * @param method in upper case
 * @param headers beside those that every request has
 * @param json the body, or null for a method that has none
 */
@SuppressWarnings("ArrayRecordComponent") // written once, compared never
record ToolRequest(String method, List<Header> headers, byte @Nullable [] json) {

  /**
   * A header.
   *
   * @param value printable ASCII
   */
  record Header(String name, String value) {}

  ToolRequest {
    headers = List.copyOf(headers);
  }

  /** A request without a body. */
  static ToolRequest withoutBody(String method, List<Header> headers) {
    return new ToolRequest(method, headers, null);
  }

  /**
   * Head and body as they go over the connection, in one piece.
   *
   * @throws IllegalArgumentException if the head is not of printable ASCII alone, so that nothing
   *     gets into it that would end a line; the message does not show it
   */
  byte[] bytes(ToolAddress address) {
    StringBuilder head = new StringBuilder(1536);
    head.append(method).append(' ').append(printable(address.target())).append(" HTTP/1.1\r\n");
    add(head, "Host", address.hostHeader());
    add(head, "User-Agent", "heldcall");
    add(head, "Connection", "close");
    for (Header header : headers) {
      add(head, header.name(), header.value());
    }
    if (json != null) {
      add(head, "Content-Type", "application/json");
      add(head, "Content-Length", Integer.toString(json.length));
    }
    byte[] start = head.append("\r\n").toString().getBytes(US_ASCII);
    if (json == null) {
      return start;
    }
    byte[] whole = new byte[start.length + json.length];
    System.arraycopy(start, 0, whole, 0, start.length);
    System.arraycopy(json, 0, whole, start.length, json.length);
    return whole;
  }

  private static void add(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(printable(value)).append("\r\n");
  }

  private static String printable(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') {
        throw new IllegalArgumentException("a request's head is printable ASCII");
      }
    }
    return text;
  }
}
