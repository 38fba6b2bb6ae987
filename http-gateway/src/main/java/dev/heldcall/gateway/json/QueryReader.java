package dev.heldcall.gateway.json;

import dev.heldcall.gateway.error.ProblemDetails;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parameters of a query as strictly as the fields of a body. A parameter without a value
 * counts as left out; the pointer in an error is the parameter's name after a slash.
 */
public final class QueryReader {

  private final Map<String, List<String>> parameters;
  private final FieldProblems problems = new FieldProblems();
  private final Set<String> asked = new LinkedHashSet<>();

  /** Reads these, decoded. */
  public QueryReader(Map<String, List<String>> parameters) {
    this.parameters = parameters;
  }

  /** An optional text of 1 to {@link Text#MAX_ID} characters. */
  public @Nullable String text(String name) {
    String value = value(name);
    if (value != null && (value.length() > Text.MAX_PROSE || Text.hasControl(value))) {
      problems.invalid("/" + name, "is too long or has a control character");
    }
    return value;
  }

  /** An optional integer within bounds, both inclusive. */
  public long integer(String name, long min, long max, long ifAbsent) {
    String value = value(name);
    if (value == null) {
      return ifAbsent;
    }
    try {
      long number = Long.parseLong(value);
      if (number >= min && number <= max && value.matches("[0-9]+")) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // said below, with the bounds
    }
    problems.invalid("/" + name, "expected an integer from " + min + " to " + max);
    return ifAbsent;
  }

  /** An optional wait of at most {@code max}; absent is none. */
  public Duration wait(Duration max) {
    return Duration.ofMillis(integer("wait_ms", 0, max.toMillis(), 0));
  }

  /** An optional entity tag that is a sequence number, with or without quotes. */
  public @Nullable Long sequence(String name) {
    String value = value(name);
    if (value == null) {
      return null;
    }
    String plain = value.matches("\"[0-9]+\"") ? value.substring(1, value.length() - 1) : value;
    try {
      if (plain.matches("[0-9]+")) {
        return Long.parseLong(plain);
      }
    } catch (NumberFormatException tooLong) {
      // said below
    }
    problems.invalid("/" + name, "expected an entity tag of this call, such as \"4\"");
    return null;
  }

  /** An optional word of a list; {@code ifAbsent} is one of them. */
  public String word(String name, List<String> words, String ifAbsent) {
    String value = value(name);
    if (value == null || words.contains(value)) {
      return value == null ? ifAbsent : value;
    }
    problems.invalid("/" + name, "expected one of " + String.join(", ", words));
    return ifAbsent;
  }

  /** Makes what the query says, or the refusal. */
  public <T> Decoded<T> finish(Supplier<T> make) {
    for (String name : parameters.keySet()) {
      if (!asked.contains(name)) {
        problems.unknown(
            "/" + name,
            "is not a parameter here; "
                + (asked.isEmpty() ? "there are none" : "expected one of " + asked));
      }
    }
    if (problems.any()) {
      ProblemDetails refusal = problems.refusal();
      return new Decoded.Refused<>(refusal);
    }
    return new Decoded.Ok<>(make.get());
  }

  private @Nullable String value(String name) {
    asked.add(name);
    List<String> values = parameters.getOrDefault(name, List.of());
    if (values.size() > 1) {
      problems.invalid("/" + name, "is there more than once");
    }
    return values.isEmpty() || values.getFirst().isEmpty() ? null : values.getFirst();
  }
}
