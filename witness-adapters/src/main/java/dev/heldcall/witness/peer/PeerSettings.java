package dev.heldcall.witness.peer;

import com.fasterxml.jackson.core.JsonPointer;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@code peer-model} provider.
 *
 * @param url the chat completions endpoint
 * @param token what to authenticate with, or null
 * @param model the model to ask
 * @param answeredBy which model must say that it answered
 * @param modelFamily the family that the model is of: the identity's own
 * @param prompt what it is told
 * @param tokensField the field that bounds its answer; servers differ
 * @param maxTokens that bound, 64 to 8192
 * @param maxCall the most characters of a call's document
 * @param maxAtOnce how many requests may be out at once
 * @param needs the places of the arguments that must be shown
 */
record PeerSettings(
    URI url,
    @Nullable String token,
    String model,
    ModelName answeredBy,
    String modelFamily,
    PeerPrompt prompt,
    String tokensField,
    int maxTokens,
    int maxCall,
    int maxAtOnce,
    List<JsonPointer> needs) {

  PeerSettings {
    needs = List.copyOf(needs);
  }

  /**
   * A model's name, or what it begins with.
   *
   * @param isPrefix whether more may follow, such as a date
   */
  record ModelName(String text, boolean isPrefix) {

    boolean matches(String name) {
      return isPrefix ? name.startsWith(text) : name.equals(text);
    }
  }

  @Override
  public String toString() {
    return "PeerSettings[" + model + "]"; // never the token
  }
}
