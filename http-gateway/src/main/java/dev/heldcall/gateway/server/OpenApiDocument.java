package dev.heldcall.gateway.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.gateway.json.Decoded;
import dev.heldcall.gateway.json.StrictJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The contract as OpenAPI 3.1, from the class path. */
final class OpenApiDocument {

  private static final String RESOURCE = "/openapi.json";
  private static final int MAX_NESTING = 64;

  private OpenApiDocument() {}

  /**
   * Reads it.
   *
   * @throws IllegalStateException if the distribution lacks it
   */
  static JsonNode load() {
    try (InputStream in = OpenApiDocument.class.getResourceAsStream(RESOURCE)) {
      if (in != null
          && new StrictJson(MAX_NESTING).parse(in.readAllBytes())
              instanceof Decoded.Ok<JsonNode>(JsonNode document)) {
        return document;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException(RESOURCE + " is not on the class path, or is not JSON");
  }
}
