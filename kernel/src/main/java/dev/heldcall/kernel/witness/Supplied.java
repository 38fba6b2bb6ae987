package dev.heldcall.kernel.witness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.List;

/**
 * What the proposer itself has said: evidence that only says it again is none ({@link Echo}).
 *
 * @param args the arguments of the generation as far as witnesses may see them, canonical
 * @param words the proposal's other texts: its continuation reference, its names, its tool
 */
public record Supplied(JsonNode args, List<String> words) {

  /** Nothing, for an attestation that brings no evidence which could repeat it. */
  public static final Supplied NOTHING = new Supplied(NullNode.instance, List.of());

  public Supplied {
    words = List.copyOf(words);
  }
}
