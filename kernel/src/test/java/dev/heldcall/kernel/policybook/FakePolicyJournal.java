package dev.heldcall.kernel.policybook;

import dev.heldcall.kernel.readside.JournalReader.RawEvent;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A journal in memory that says what was asked of it and can fail. */
final class FakePolicyJournal implements PolicyJournal {

  private final Map<String, List<RawEvent>> books = new HashMap<>();
  private final List<PolicyBookEvent> events = new ArrayList<>();
  private final List<Set<String>> looks = new ArrayList<>();
  private final List<String> loads = new ArrayList<>();
  private @Nullable SQLException failure;

  /** Writes an event to a book; the payload is not looked at, the serializer's id is its name. */
  synchronized void write(String name, PolicyBookEvent event) {
    List<RawEvent> book = book(name);
    events.add(event);
    book.add(raw(book.size() + 1, events.size() - 1));
  }

  private List<RawEvent> book(String name) {
    return books.computeIfAbsent(id(name), _ -> new ArrayList<>());
  }

  /** Loses the events of a book from a place on. */
  synchronized void cut(String name, int kept) {
    List<RawEvent> book = book(name);
    book.subList(kept, book.size()).clear();
  }

  /** Loses one event of a book. */
  synchronized void loseEvent(String name, int index) {
    book(name).remove(index);
  }

  synchronized void failWith(@Nullable SQLException newFailure) {
    failure = newFailure;
  }

  synchronized PolicyBookEvent decode(RawEvent raw) {
    return events.get(raw.serializerId());
  }

  /** The ids of each look at how far the books go. */
  synchronized List<Set<String>> looks() {
    return List.copyOf(looks);
  }

  /** {@code id from number}, for each load of events. */
  synchronized List<String> loads() {
    return List.copyOf(loads);
  }

  static String id(String name) {
    return PolicyBookEntity.persistenceId(name);
  }

  private static RawEvent raw(long sequence, int event) {
    return new RawEvent(sequence, event, "", new byte[0], 0);
  }

  @Override
  public synchronized Map<String, Long> maxSequences(Set<String> persistenceIds)
      throws SQLException {
    looks.add(Set.copyOf(persistenceIds));
    if (failure != null) {
      throw failure;
    }
    Map<String, Long> greatest = new HashMap<>();
    for (String id : persistenceIds) {
      List<RawEvent> book = books.get(id);
      if (book != null && !book.isEmpty()) {
        greatest.put(id, book.getLast().sequenceNumber());
      }
    }
    return greatest;
  }

  @Override
  public synchronized List<RawEvent> events(String persistenceId, long fromSequence, int limit) {
    loads.add(persistenceId + " from " + fromSequence);
    return books.getOrDefault(persistenceId, List.of()).stream()
        .filter(event -> event.sequenceNumber() >= fromSequence)
        .limit(limit)
        .toList();
  }
}
