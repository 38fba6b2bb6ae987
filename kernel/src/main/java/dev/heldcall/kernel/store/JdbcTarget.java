package dev.heldcall.kernel.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A database as the drivers want it told.
 *
 * @param dialect which one
 * @param url the JDBC URL with every setting of ours
 * @param user the user, or null to leave it to the URL
 * @param password the password, or null
 * @param place where it is, for messages: a file, or the URL without its parameters
 */
record JdbcTarget(
    Dialect dialect, String url, @Nullable String user, @Nullable String password, String place) {

  /** The embedded database's file is this name and {@code .mv.db}. */
  private static final String FILE_NAME = "heldcall";

  /**
   * How the embedded database is run. WRITE_DELAY=0 writes at every commit, and the {@code force:}
   * file system makes each such write durable. FILE_LOCK=FS is a lock of the operating system, gone
   * with its process, so a killed node leaves none behind. The node closes the database itself,
   * after its actors, and not the driver's own hook in the midst of them.
   */
  private static final String EMBEDDED_SETTINGS =
      ";WRITE_DELAY=0;FILE_LOCK=FS;AUTO_SERVER=FALSE;DB_CLOSE_ON_EXIT=FALSE;DB_CLOSE_DELAY=-1"
          + ";LOCK_TIMEOUT=10000;MAX_COMPACT_TIME=0;QUERY_CACHE_SIZE=64;DATABASE_TO_LOWER=TRUE;TRACE_LEVEL_FILE=0";

  static JdbcTarget of(StoreSettings settings) {
    String url = settings.url();
    if (url == null) {
      return embedded(settings.data());
    }
    if (url.startsWith("jdbc:postgresql:")) {
      return postgresql(url, settings.user(), settings.password());
    }
    throw new StoreException(
        "The database URL '"
            + withoutParameters(url)
            + "' is not one this node can use: give a jdbc:postgresql://host:port/database URL,"
            + " or none for the embedded database.");
  }

  private static JdbcTarget embedded(Path data) {
    Path folder = data.toAbsolutePath().normalize();
    if (folder.toString().indexOf(';') >= 0) {
      throw new StoreException(
          "The data folder "
              + folder
              + " has a ';' in its name: choose another for heldcall.data.");
    }
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new StoreException(
          "The data folder "
              + folder
              + " cannot be created ("
              + e
              + "): set heldcall.data to a folder"
              + " that this user may write.",
          e);
    }
    ForcedFilePath.register();
    Path file = folder.resolve(FILE_NAME);
    String url = embeddedUrl(ForcedFilePath.SCHEME + ":" + file);
    return new JdbcTarget(Dialect.H2, url, "heldcall", "", file + ".mv.db");
  }

  /** The URL of the embedded database in a file, told with the H2 file system that it is on. */
  static String embeddedUrl(String file) {
    return "jdbc:h2:" + file + EMBEDDED_SETTINGS;
  }

  private static JdbcTarget postgresql(
      String url, @Nullable String user, @Nullable String password) {
    StringBuilder whole = new StringBuilder(url);
    appendUnlessSet(whole, "connectTimeout", "5");
    appendUnlessSet(whole, "loginTimeout", "8");
    appendUnlessSet(whole, "socketTimeout", "30");
    appendUnlessSet(whole, "tcpKeepAlive", "true");
    appendUnlessSet(whole, "ApplicationName", "heldcall");
    return new JdbcTarget(
        Dialect.POSTGRESQL, whole.toString(), user, password, withoutParameters(url));
  }

  private static void appendUnlessSet(StringBuilder url, String key, String value) {
    if (url.indexOf("?" + key + "=") >= 0 || url.indexOf("&" + key + "=") >= 0) {
      return;
    }
    url.append(url.indexOf("?") < 0 ? '?' : '&').append(key).append('=').append(value);
  }

  private static String withoutParameters(String url) {
    int end = url.indexOf('?');
    String bare = end < 0 ? url : url.substring(0, end);
    int semicolon = bare.indexOf(';');
    return semicolon < 0 ? bare : bare.substring(0, semicolon);
  }

  String driver() {
    return switch (dialect) {
      case H2 -> "org.h2.Driver";
      case POSTGRESQL -> "org.postgresql.Driver";
    };
  }

  /** User and password, as far as they are given. */
  Properties properties() {
    Properties properties = new Properties();
    if (user != null) {
      properties.setProperty("user", user);
    }
    if (password != null) {
      properties.setProperty("password", password);
    }
    return properties;
  }

  /** Everything but the password. */
  @Override
  public String toString() {
    return "JdbcTarget[" + dialect + ", " + place + "]";
  }
}
