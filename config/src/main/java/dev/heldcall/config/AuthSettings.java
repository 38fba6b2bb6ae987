package dev.heldcall.config;

import java.util.List;

/**
 * The static tokens ({@code heldcall.auth}).
 *
 * @param tokens each with a digest of its own
 */
public record AuthSettings(List<TokenSettings> tokens) {
  public AuthSettings {
    tokens = List.copyOf(tokens);
  }
}
