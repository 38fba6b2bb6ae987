package dev.heldcall.kernel.policybook;

import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.readside.JournalReader.RawEvent;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * One read of the books. How far each book goes is always asked of the database; what was folded
 * before only spares reading the same events again.
 */
final class BookReading {

  private static final int PAGE = 50;
  private static final String FLOOR_ID = PolicyBookEntity.persistenceId(PolicyBookEntity.FLOOR);

  private final PolicyJournal journal;
  private final Function<RawEvent, PolicyBookEvent> decoder;
  private final PolicyLayers base;

  BookReading(
      PolicyJournal journal, Function<RawEvent, PolicyBookEvent> decoder, PolicyLayers base) {
    this.journal = journal;
    this.decoder = decoder;
    this.base = base;
  }

  /**
   * What was read.
   *
   * @param floor the floor's book
   * @param policies of the organizations whose books could be read
   * @param failures of the others: why not
   */
  record Result(
      Book floor, Map<String, OrganizationPolicy> policies, Map<String, String> failures) {
    Result {
      policies = Map.copyOf(policies);
      failures = Map.copyOf(failures);
    }
  }

  /**
   * Reads.
   *
   * @param floor what is known of the floor
   * @param known what is known of the organizations
   * @param organizations which ones to read
   * @throws SQLException if the database does not answer
   * @throws RuntimeException if the floor's events cannot be understood
   */
  Result read(Book floor, Map<String, OrganizationPolicy> known, Set<String> organizations)
      throws SQLException {
    Set<String> ids = new HashSet<>(Set.of(FLOOR_ID));
    organizations.forEach(organization -> ids.add(idOf(organization)));
    Map<String, Long> greatest = journal.maxSequences(ids);
    Book floorNow = grown(FLOOR_ID, floor, greatest);
    Map<String, OrganizationPolicy> policies = new HashMap<>();
    Map<String, String> failures = new HashMap<>();
    for (String organization : organizations) {
      OrganizationPolicy before = known.get(organization);
      try {
        Book then = before == null ? Book.EMPTY : before.book();
        Book now = grown(idOf(organization), then, greatest);
        policies.put(
            organization,
            before != null && now.equals(then) ? before : OrganizationPolicy.compile(now, base));
      } catch (RuntimeException e) {
        failures.put(organization, "the policy book cannot be understood: " + e.getMessage());
      }
    }
    return new Result(floorNow, policies, failures);
  }

  private static String idOf(String organization) {
    return PolicyBookEntity.persistenceId(PolicyBookEntity.nameOf(organization));
  }

  /** The book as far as the database has it; a database that has less than is known is believed. */
  private Book grown(String id, Book known, Map<String, Long> greatest) throws SQLException {
    long end = greatest.getOrDefault(id, 0L);
    Book book = end < known.sequence() ? Book.EMPTY : known;
    while (book.sequence() < end) {
      List<RawEvent> page = journal.events(id, book.sequence() + 1, PAGE);
      if (page.isEmpty()) {
        throw new IllegalStateException(
            id + ": no event after " + book.sequence() + " although the last is " + end);
      }
      for (RawEvent event : page) {
        book = book.with(event.sequenceNumber(), decoder.apply(event));
      }
    }
    return book;
  }
}
