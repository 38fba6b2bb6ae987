package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.digest.CanonicalJson;
import org.jspecify.annotations.Nullable;

/**
 * The body of an edit.
 *
 * @param generation the generation that is edited
 * @param tool the new tool, or null for the same
 * @param args the new arguments, canonical, or null for the same
 */
public record EditBody(int generation, @Nullable String tool, @Nullable JsonNode args) {

  /** Reads it; one of {@code tool} and {@code args} must be there. */
  public static Decoded<EditBody> read(JsonNode body) {
    ObjectReader in = ObjectReader.of(body);
    int generation = (int) in.integer("generation", 1, Integer.MAX_VALUE);
    String tool = in.optionalText("tool", Text.MAX_ID);
    JsonNode args = in.optionalObject("args");
    if (tool == null && args == null && body.isObject()) {
      in.invalid("args", "is required, or tool is: an edit changes something");
    }
    return in.finish(
        () -> new EditBody(generation, tool, args == null ? null : CanonicalJson.canonical(args)));
  }
}
