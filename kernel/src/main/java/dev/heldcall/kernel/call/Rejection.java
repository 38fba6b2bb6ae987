package dev.heldcall.kernel.call;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command refused, as a value.
 *
 * @param problem the kind
 * @param detail one sentence for a person: what, where, and what was expected
 * @param errors places within the body, possibly none
 * @param execution the call's execution where it explains the refusal, or null
 */
public record Rejection(
    Problem problem, String detail, List<FieldError> errors, @Nullable Execution execution) {

  public Rejection {
    errors = List.copyOf(errors);
  }

  /** A refusal without places. */
  public static Rejection of(Problem problem, String detail) {
    return new Rejection(problem, detail, List.of(), null);
  }

  /**
   * One place that is wrong.
   *
   * @param pointer an RFC 6901 pointer into the body
   * @param message what was expected there
   */
  public record FieldError(String pointer, String message) {}
}
