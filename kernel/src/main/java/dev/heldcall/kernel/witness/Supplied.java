package dev.heldcall.kernel.witness;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What the proposer itself has said: evidence that only says it again is none ({@link Echo}).
 *
 * @param args the arguments of the generation, canonical
 * @param words the proposal's other texts: its continuation reference, its names, its tool
 */
public record Supplied(JsonNode args, List<String> words) {

  public Supplied {
    words = List.copyOf(words);
  }
}
