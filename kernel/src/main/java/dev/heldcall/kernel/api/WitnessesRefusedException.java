package dev.heldcall.kernel.api;

import java.util.List;

/** Configured witness providers that cannot be made; the message has a line a problem. */
public final class WitnessesRefusedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  WitnessesRefusedException(List<String> problems) {
    super(String.join(System.lineSeparator(), problems));
  }
}
