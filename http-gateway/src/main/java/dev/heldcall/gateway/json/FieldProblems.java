package dev.heldcall.gateway.json;

import dev.heldcall.gateway.error.ProblemDetails;
import dev.heldcall.gateway.error.ProblemType;
import dev.heldcall.kernel.call.Rejection;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with one request, so that a client learns all of it at once. */
final class FieldProblems {

  private final List<Rejection.FieldError> found = new ArrayList<>();
  private boolean unknown;

  /** Notes a missing or wrong value. */
  void invalid(String pointer, String message) {
    if (found.size() < ProblemDetails.MAX_ERRORS) {
      found.add(new Rejection.FieldError(pointer, message));
    }
  }

  /** Notes a field that nobody knows. */
  void unknown(String pointer, String message) {
    unknown = true;
    invalid(pointer, message);
  }

  boolean any() {
    return !found.isEmpty();
  }

  boolean anyUnknown() {
    return unknown;
  }

  List<Rejection.FieldError> places() {
    return List.copyOf(found);
  }

  /** What is answered; an unknown field outweighs the others, for it may be a misspelt one. */
  ProblemDetails refusal() {
    Rejection.FieldError first = found.getFirst();
    String place = first.pointer().isEmpty() ? "the body" : first.pointer();
    return ProblemDetails.of(
        unknown ? ProblemType.UNKNOWN_FIELD : ProblemType.INVALID_FIELD,
        place + ": " + first.message(),
        found);
  }
}
