package dev.heldcall.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What the command line says; it wins over everything else.
 *
 * @param port the HTTP port ({@code --port}), or null
 * @param data the data folder ({@code --data}), or null
 */
public record Overrides(@Nullable Integer port, @Nullable Path data) {

  /** Nothing said. */
  public static Overrides none() {
    return new Overrides(null, null);
  }
}
