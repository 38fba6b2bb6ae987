package dev.heldcall.config;

import org.jspecify.annotations.Nullable;

/**
 * The external database ({@code heldcall.db}).
 *
 * @param url a JDBC URL, {@code jdbc:postgresql:…} or {@code jdbc:h2:…}
 * @param user the user, or null if the URL or the server names one
 * @param password the password, or null
 */
public record DbSettings(String url, @Nullable String user, @Nullable String password) {

  /** Shows neither the password nor the URL's parameters, which may carry one. */
  @Override
  public String toString() {
    int parameters = url.indexOf('?');
    return "DbSettings[url=" + (parameters < 0 ? url : url.substring(0, parameters)) + "]";
  }
}
