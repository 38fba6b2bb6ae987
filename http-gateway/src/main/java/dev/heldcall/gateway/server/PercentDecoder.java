package dev.heldcall.gateway.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decodes paths and queries (RFC 3986, section 2.1), each part by itself, as strict UTF-8. */
final class PercentDecoder {

  private static final int MAX_PARAMETERS = 64;

  private PercentDecoder() {}

  /** The segments of an absolute path; an encoded slash stays within its segment. */
  static Optional<List<String>> segments(String path) {
    if (!path.startsWith("/")) {
      return Optional.empty();
    }
    List<String> segments = new ArrayList<>();
    for (String raw : path.substring(1).split("/", -1)) {
      Optional<String> segment = decode(raw, false);
      if (segment.isEmpty()) {
        return Optional.empty();
      }
      segments.add(segment.get());
    }
    return Optional.of(segments);
  }

  /** The parameters of a query; a plus stands for a space. */
  static Optional<Map<String, List<String>>> parameters(String query) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    int count = 0;
    for (String part : query.split("&", -1)) {
      if (part.isEmpty()) {
        continue;
      }
      int equals = part.indexOf('=');
      Optional<String> name = decode(equals < 0 ? part : part.substring(0, equals), true);
      Optional<String> value = decode(equals < 0 ? "" : part.substring(equals + 1), true);
      if (name.isEmpty() || value.isEmpty() || ++count > MAX_PARAMETERS) {
        return Optional.empty();
      }
      parameters.computeIfAbsent(name.get(), _ -> new ArrayList<>()).add(value.get());
    }
    return Optional.of(parameters);
  }

  private static Optional<String> decode(String text, boolean plusIsSpace) {
    if (isPlain(text)) {
      return Optional.of(text);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        int value = hex(text, i);
        if (value < 0) {
          return Optional.empty();
        }
        bytes.write(value);
        i += 2;
      } else {
        byte[] plain = String.valueOf(c == '+' && plusIsSpace ? ' ' : c).getBytes(UTF_8);
        bytes.writeBytes(plain);
      }
    }
    try {
      return Optional.of(
          UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** Whether nothing in it is encoded, as nearly always. */
  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%' || c == '+' || c >= 0x80) {
        return false;
      }
    }
    return true;
  }

  /** The byte that the two digits after a percent sign spell, or -1. */
  private static int hex(String text, int percent) {
    if (percent + 2 >= text.length()) {
      return -1;
    }
    int high = Character.digit(text.charAt(percent + 1), 16);
    int low = Character.digit(text.charAt(percent + 2), 16);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }
}
