package dev.heldcall.witness.database;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@code database} provider.
 *
 * @param name what the evidence calls the query
 * @param url a JDBC URL of PostgreSQL or H2
 * @param user who reads; a user that may only read
 * @param password its password, or null
 * @param sql the query
 * @param parameters one for each {@code ?}
 * @param expectation what the rows must be
 * @param onMismatch what it means if they are not
 * @param maxRows how many rows may come, 1 to 1000; more cannot be told
 * @param show columns whose values the evidence shows
 * @param statementTimeout how long the query may run
 * @param poolSize how many connections there may be
 * @param poolWait how long to wait for one
 */
record DatabaseSettings(
    String name,
    String url,
    @Nullable String user,
    @Nullable String password,
    String sql,
    List<QueryParameter> parameters,
    Expectation expectation,
    OnMismatch onMismatch,
    int maxRows,
    Set<String> show,
    Duration statementTimeout,
    int poolSize,
    Duration poolWait) {

  DatabaseSettings {
    parameters = List.copyOf(parameters);
    show = Set.copyOf(show);
  }

  /** What unexpected rows mean. */
  enum OnMismatch {
    /** The witness is against the call. */
    DENY,
    /** The witness cannot tell. */
    DEFER
  }

  boolean isPostgres() {
    return url.startsWith("jdbc:postgresql:");
  }

  @Override
  public String toString() {
    return "DatabaseSettings[" + name + "]"; // never the password
  }
}
