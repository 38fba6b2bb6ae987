package dev.heldcall.kernel.store;

import java.sql.Connection;
import java.sql.SQLException;

/** The databases that a store can be in, and what differs between them for our statements. */
public enum Dialect {
  /** The embedded database. */
  H2("h2"),
  /** PostgreSQL, for production and clusters. */
  POSTGRESQL("postgresql");

  private final String folder;

  Dialect(String folder) {
    this.folder = folder;
  }

  /** The folder of this dialect's scripts, under {@code schema/} on the class path. */
  String folder() {
    return folder;
  }

  /**
   * The dialect of the database behind a connection.
   *
   * @throws SQLException if the connection is broken or leads to neither
   */
  public static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product) {
      case "H2" -> H2;
      case "PostgreSQL" -> POSTGRESQL;
      default -> throw new SQLException("neither H2 nor PostgreSQL but " + product);
    };
  }
}
