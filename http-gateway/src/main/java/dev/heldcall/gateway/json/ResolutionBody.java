package dev.heldcall.gateway.json;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.plugin.api.WireName;
import org.jspecify.annotations.Nullable;

/**
 * The body by which an operator closes an unknown outcome (the design, rule 4).
 *
 * @param finding whether there was an effect
 * @param content the result that is recorded with an effect, canonical, or null
 * @param evidence what the operator found out, canonical
 */
public record ResolutionBody(Finding finding, @Nullable JsonNode content, JsonNode evidence) {

  /** What the operator found. */
  public enum Finding implements WireName {
    /** The tool had its effect. */
    EFFECT("effect"),
    /** It had none, and never will. */
    NO_EFFECT("no-effect");

    private final String wireName;

    Finding(String wireName) {
      this.wireName = wireName;
    }

    @Override
    public String wireName() {
      return wireName;
    }
  }

  /** Reads it; content makes sense with an effect only. */
  public static Decoded<ResolutionBody> read(JsonNode body) {
    ObjectReader in = ObjectReader.of(body);
    Finding finding = in.requiredConstant("outcome", Finding.class);
    JsonNode content = in.any("content");
    JsonNode evidence = in.object("evidence");
    if (finding == Finding.NO_EFFECT && content != null && !content.isNull()) {
      in.invalid("content", "is not possible without an effect");
    }
    return in.finish(
        () ->
            new ResolutionBody(
                finding,
                content == null ? null : CanonicalJson.canonical(content),
                CanonicalJson.canonical(evidence)));
  }
}
