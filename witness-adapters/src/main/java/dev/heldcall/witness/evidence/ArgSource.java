package dev.heldcall.witness.evidence;

import com.fasterxml.jackson.core.JsonPointer;

/** Where a provider takes a text from: its settings, or the call. */
public sealed interface ArgSource {

  /** The most characters that are taken from a call. */
  int MAX_LENGTH = 1024;

  /** The same for every call. */
  record Fixed(String text) implements ArgSource {}

  /** What the call has at a place. */
  record FromArgs(JsonPointer pointer) implements ArgSource {}

  /**
   * The text for a call.
   *
   * @throws Undecidable if the call has none, or does not disclose it
   */
  default String in(DisclosedArgs args) throws Undecidable {
    return switch (this) {
      case Fixed fixed -> fixed.text();
      case FromArgs from -> args.text(from.pointer(), MAX_LENGTH);
    };
  }
}
