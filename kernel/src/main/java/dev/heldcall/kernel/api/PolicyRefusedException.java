package dev.heldcall.kernel.api;

import java.util.List;

/**
 * Configured policy does not load; the message has a line a problem: path, place, what is wrong.
 */
public final class PolicyRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  PolicyRefusedException(List<String> problems) {
    super(String.join(System.lineSeparator(), problems));
  }
}
