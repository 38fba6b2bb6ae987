package dev.heldcall.witness.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Digest;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields of a posted object, read one by one; what is left over at the end is a mistake. */
public final class PostedFields {

  private final JsonNode body;
  private final Set<String> known = new HashSet<>();

  private PostedFields(JsonNode body) {
    this.body = body;
  }

  /**
   * Those of a body.
   *
   * @throws MalformedJson if it is no JSON object
   */
  public static PostedFields of(byte[] body) throws MalformedJson {
    return new PostedFields(StrictJson.parse(body));
  }

  private JsonNode field(String name) {
    known.add(name);
    return body.path(name);
  }

  /** A text of 1 to so many characters. */
  public String text(String name, int most) throws MalformedJson {
    JsonNode value = field(name);
    if (!value.isTextual() || value.textValue().isEmpty() || value.textValue().length() > most) {
      throw new MalformedJson(name, "a text of 1 to " + most + " characters");
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(value.textValue())) {
      throw new MalformedJson(name, "a text without half a surrogate pair");
    }
    return value.textValue();
  }

  /** Such a text, or null if it is not there or null. */
  public @Nullable String optionalText(String name, int most) throws MalformedJson {
    known.add(name);
    return body.hasNonNull(name) ? text(name, most) : null;
  }

  /** A whole number from 1. */
  public int count(String name) throws MalformedJson {
    JsonNode value = field(name);
    if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 1) {
      throw new MalformedJson(name, "a whole number from 1");
    }
    return value.intValue();
  }

  /** A digest. */
  public Digest digest(String name) throws MalformedJson {
    String text = field(name).asText();
    if (!Digest.isWellFormed(text)) {
      throw new MalformedJson(name, "'sha256:' and 64 lower-case hexadecimal digits");
    }
    return new Digest(text);
  }

  /** A decision. */
  public AttestationDecision decision(String name) throws MalformedJson {
    JsonNode value = field(name);
    for (AttestationDecision each : AttestationDecision.values()) {
      if (each.wireName().equals(value.textValue())) {
        return each;
      }
    }
    throw new MalformedJson(name, "approve or deny");
  }

  /** A time. */
  public Instant time(String name) throws MalformedJson {
    try {
      return OffsetDateTime.parse(field(name).asText()).toInstant();
    } catch (DateTimeException e) {
      throw new MalformedJson(name, "an RFC 3339 time such as 2026-12-01T12:00:00Z");
    }
  }

  /**
   * Ends the reading.
   *
   * @throws MalformedJson if there are fields that nobody asked for
   */
  public void done() throws MalformedJson {
    for (String name : (Iterable<String>) body::fieldNames) {
      if (!known.contains(name)) {
        throw new MalformedJson(
            ForeignText.line(name),
            "only the fields " + String.join(", ", known.stream().sorted().toList()));
      }
    }
  }
}
