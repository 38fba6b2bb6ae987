package dev.heldcall.plugin.api;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A message that somebody posted to a provider. Nothing in it is believed before its signature was
 * checked over exactly these bytes.
 *
 * @param headers by name in lower case; values in the order they came
 * @param body the body's bytes as they came, at most 1 MiB
 */
@SuppressWarnings("ArrayRecordComponent") // read and handed on once; equality is never asked
public record IncomingMessage(Map<String, List<String>> headers, byte[] body) {

  public IncomingMessage {
    TreeMap<String, List<String>> lower = new TreeMap<>();
    headers.forEach(
        (name, values) -> lower.put(name.toLowerCase(Locale.ROOT), List.copyOf(values)));
    headers = Map.copyOf(lower);
    body = body.clone();
  }

  /** The header's only value; empty if it is not there or there more than once. */
  public Optional<String> header(String name) {
    List<String> values = headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
  }

  @Override
  public byte[] body() {
    return body.clone();
  }
}
