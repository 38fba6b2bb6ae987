package dev.heldcall.plugin.api;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A message that somebody posted to a provider. Nothing in it is believed before its signature was
 * checked over exactly these bytes.
 */
public final class IncomingMessage {

  private final Map<String, List<String>> headers;
  private final byte[] body;

  /**
   * A message.
   *
   * @param headers by name, upper or lower case; values in the order they came
   * @param body the body's bytes as they came, at most 1 MiB
   */
  public IncomingMessage(Map<String, List<String>> headers, byte[] body) {
    TreeMap<String, List<String>> lower = new TreeMap<>();
    headers.forEach(
        (name, values) -> lower.put(name.toLowerCase(Locale.ROOT), List.copyOf(values)));
    this.headers = Map.copyOf(lower);
    this.body = body.clone();
  }

  /** The headers by name in lower case. */
  public Map<String, List<String>> headers() {
    return headers;
  }

  /** The header's only value; empty if it is not there or there more than once. */
  public Optional<String> header(String name) {
    List<String> values = headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
  }

  /** The body's bytes. */
  public byte[] body() {
    return body.clone();
  }

  @Override
  public String toString() {
    return "IncomingMessage[" + headers.keySet() + ", " + body.length + " bytes]";
  }
}
