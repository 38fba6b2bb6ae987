package dev.heldcall.kernel.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the database is.
 *
 * @param url a {@code jdbc:postgresql:} URL, or null for the embedded database under {@code data}
 * @param user the database user, or null to leave it to the URL
 * @param password that user's password, or null
 * @param data the folder of the embedded database; created when it is missing
 */
public record StoreSettings(
    @Nullable String url, @Nullable String user, @Nullable String password, Path data) {

  /** The embedded database under {@code data}. */
  public static StoreSettings embedded(Path data) {
    return new StoreSettings(null, null, null, data);
  }

  /** Everything but the password. */
  @Override
  public String toString() {
    return "StoreSettings[url=" + url + ", user=" + user + ", data=" + data + "]";
  }
}
