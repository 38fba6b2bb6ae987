package dev.heldcall.kernel.readside;

import dev.heldcall.kernel.store.Store;
import dev.heldcall.plugin.api.PrincipalRef;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who has taken which witness request from the queue, so that two consumers do not work on the same
 * one. A claim is a convenience and decides nothing: evidence without one counts the same. What
 * makes two claimers exclude each other is the unique {@code slot} of call, generation and class,
 * which a claim gives back when it ends.
 */
public final class WitnessClaims {

  /** How long an ended claim is remembered, so that releasing it again is no error. */
  static final long KEEP_MILLIS = 3_600_000;

  private static final int TIDY = 200;

  private static final String INSERT =
      "INSERT INTO witness_claim (claim_id, slot, held_id, generation, witness_class, org, project,"
          + " principal, claimed_until, hide_until, keep_until)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)";

  private static final String CANDIDATES =
      "SELECT held_id, generation FROM call_index i"
          + " WHERE org = ? AND state = 'waiting' AND waiting_classes LIKE ? ESCAPE '!'"
          + " AND deadline > ? AND NOT (project = ? AND (principal = ? OR principal = ?))"
          + " AND NOT EXISTS (SELECT 1 FROM witness_claim c WHERE c.held_id = i.held_id"
          + " AND c.generation = i.generation AND c.witness_class = ? AND ("
          + "(c.slot IS NOT NULL AND c.claimed_until > ?) OR (c.hide_until > ?"
          + " AND c.org = ? AND c.project = ? AND c.principal = ?)))"
          + " ORDER BY created_at, held_id LIMIT ?";

  private final Store store;

  /** Uses the store's own pool. */
  public WitnessClaims(Store store) {
    this.store = store;
  }

  /**
   * Who takes requests, and which.
   *
   * @param self the claimer
   * @param onBehalfOf whom it is a delegate of, or null: that one's calls are not handed out either
   * @param witnessClass the class that it holds
   */
  public record Claimer(PrincipalRef self, @Nullable String onBehalfOf, String witnessClass) {}

  /**
   * A request that was taken.
   *
   * @param claimId the claim
   * @param heldId the call
   * @param generation the generation that the index showed
   */
  public record Taken(String claimId, String heldId, int generation) {}

  /**
   * What taking came to.
   *
   * @param found how many there were to take, up to the limit
   * @param taken those that were taken; the others were somebody else's in the meantime
   */
  public record Catch(int found, List<Taken> taken) {

    public Catch {
      taken = List.copyOf(taken);
    }
  }

  /** Whose a claim is. */
  public record Holder(PrincipalRef principal) {}

  /** How many requests a principal has claimed now. */
  public int live(PrincipalRef self, long nowMillis) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT COUNT(*) FROM witness_claim WHERE org = ? AND project = ?"
                    + " AND principal = ? AND claimed_until > ? AND slot IS NOT NULL")) {
      bind(select, self.org(), self.project(), self.id(), nowMillis);
      try (ResultSet rows = select.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }

  /**
   * Takes the oldest requests that nobody has. Of several who reach for the same one at once one
   * gets it; the others get fewer than there are, and ask again.
   *
   * @param limit the most to take
   * @param ids makes a claim's id
   */
  public Catch take(
      Claimer claimer, int limit, long nowMillis, long untilMillis, Supplier<String> ids)
      throws SQLException {
    return store.inTransaction(
        connection -> {
          List<Taken> taken = new ArrayList<>();
          List<Taken> candidates = candidates(connection, claimer, limit, nowMillis, ids);
          for (Taken each : candidates) {
            if (claim(connection, claimer, each, nowMillis, untilMillis)) {
              taken.add(each);
            }
          }
          return new Catch(candidates.size(), taken);
        });
  }

  private static List<Taken> candidates(
      Connection connection, Claimer claimer, int limit, long nowMillis, Supplier<String> ids)
      throws SQLException {
    PrincipalRef self = claimer.self();
    String name = claimer.witnessClass();
    try (PreparedStatement select = connection.prepareStatement(CANDIDATES)) {
      bind(
          select,
          self.org(),
          "% " + name.replaceAll("[!%_]", "!$0") + " %",
          nowMillis,
          self.project(),
          self.id(),
          claimer.onBehalfOf() == null ? self.id() : claimer.onBehalfOf(),
          name,
          nowMillis,
          nowMillis,
          self.org(),
          self.project(),
          self.id(),
          limit);
      List<Taken> found = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found.add(new Taken(ids.get(), rows.getString(1), rows.getInt(2)));
        }
      }
      return found;
    }
  }

  /** In the order of the candidates, which is everybody's: no two wait for each other. */
  private boolean claim(
      Connection connection, Claimer claimer, Taken taken, long nowMillis, long untilMillis)
      throws SQLException {
    String slot = taken.heldId() + "." + taken.generation() + "." + claimer.witnessClass();
    run(
        connection,
        "UPDATE witness_claim SET slot = NULL WHERE slot = ? AND claimed_until <= ?",
        slot,
        nowMillis);
    PrincipalRef self = claimer.self();
    return InsertOnce.run(
        connection,
        store.dialect(),
        INSERT,
        taken.claimId(),
        slot,
        taken.heldId(),
        taken.generation(),
        claimer.witnessClass(),
        self.org(),
        self.project(),
        self.id(),
        untilMillis,
        untilMillis + KEEP_MILLIS);
  }

  /** Whose claim it is; empty if there is none, or none any more. */
  public Optional<Holder> holder(String claimId) throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement(
                "SELECT org, project, principal FROM witness_claim WHERE claim_id = ?")) {
      select.setString(1, claimId);
      try (ResultSet rows = select.executeQuery()) {
        return rows.next()
            ? Optional.of(
                new Holder(
                    new PrincipalRef(rows.getString(1), rows.getString(2), rows.getString(3))))
            : Optional.empty();
      }
    }
  }

  /**
   * Ends a claim; the request is anybody's again at once.
   *
   * @param hideUntilMillis until when its holder is not handed the same request, 0 for not at all
   */
  public void end(String claimId, long hideUntilMillis) throws SQLException {
    try (Connection connection = store.connection()) {
      run(
          connection,
          "UPDATE witness_claim SET slot = NULL, hide_until = ?, keep_until = GREATEST(keep_until,"
              + " ?) WHERE claim_id = ?",
          hideUntilMillis,
          hideUntilMillis,
          claimId);
    }
  }

  /** Ends a claim that may have ended before; what its holder is not handed stays so. */
  public void release(String claimId) throws SQLException {
    try (Connection connection = store.connection()) {
      run(connection, "UPDATE witness_claim SET slot = NULL WHERE claim_id = ?", claimId);
    }
  }

  /** Whether there are claims at all, ended ones included. */
  public boolean any() throws SQLException {
    try (Connection connection = store.connection();
        PreparedStatement select =
            connection.prepareStatement("SELECT 1 FROM witness_claim LIMIT 1");
        ResultSet rows = select.executeQuery()) {
      return rows.next();
    }
  }

  /** Ends somebody's claims of a generation that it has attested: others may be wanted too. */
  public void attested(PrincipalRef witness, String heldId, int generation) throws SQLException {
    try (Connection connection = store.connection()) {
      run(
          connection,
          "UPDATE witness_claim SET slot = NULL WHERE held_id = ? AND principal = ?"
              + " AND project = ? AND org = ? AND generation = ?",
          heldId,
          witness.id(),
          witness.project(),
          witness.org(),
          generation);
    }
  }

  /** An attestation was taken back: the call may be handed to its witness again. */
  public void revoked(String heldId) throws SQLException {
    try (Connection connection = store.connection()) {
      run(
          connection,
          "UPDATE witness_claim SET hide_until = 0 WHERE held_id = ? AND hide_until > 0",
          heldId);
    }
  }

  /** Forgets some of the claims that nobody can ask for any more. */
  public void tidy(long nowMillis) throws SQLException {
    String some =
        "SELECT claim_id FROM witness_claim WHERE keep_until <= ? ORDER BY claim_id LIMIT " + TIDY;
    String free =
        switch (store.dialect()) {
          case POSTGRESQL -> some + " FOR UPDATE SKIP LOCKED";
          case H2 -> some;
        };
    try (Connection connection = store.connection()) {
      run(connection, "DELETE FROM witness_claim WHERE claim_id IN (" + free + ")", nowMillis);
    }
  }

  private static void run(Connection connection, String sql, Object... arguments)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, arguments);
      statement.executeUpdate();
    }
  }

  private static void bind(PreparedStatement statement, Object... arguments) throws SQLException {
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
  }
}
