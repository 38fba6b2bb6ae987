package dev.heldcall.kernel.entity;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.pekko.persistence.testkit.JournalOperation;
import org.apache.pekko.persistence.testkit.ProcessingPolicy;
import org.apache.pekko.persistence.testkit.ProcessingResult;
import org.apache.pekko.persistence.testkit.ProcessingSuccess;
import org.apache.pekko.persistence.testkit.StorageFailure;
import org.apache.pekko.persistence.testkit.WriteEvents;

/** Keeps what each write to the journal was, and fails those that the test names. */
final class Writes implements ProcessingPolicy<JournalOperation> {

  private final Map<String, List<List<String>>> written = new ConcurrentHashMap<>();
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final Map<String, List<List<String>>> failed = new ConcurrentHashMap<>();

  /** The kinds of events of each write of the entity, in order. */
  List<List<String>> of(String persistenceId) {
    return List.copyOf(written.getOrDefault(persistenceId, List.of()));
  }

  /** The writes that were failed. */
  List<List<String>> failedOf(String persistenceId) {
    return List.copyOf(failed.getOrDefault(persistenceId, List.of()));
  }

  /** Fails writes of the entity until {@link #succeed}. */
  void fail(String persistenceId) {
    failing.add(persistenceId);
  }

  void succeed(String persistenceId) {
    failing.remove(persistenceId);
  }

  @Override
  public ProcessingResult tryProcess(String persistenceId, JournalOperation operation) {
    if (!(operation instanceof WriteEvents write)) {
      return ProcessingSuccess.getInstance();
    }
    List<String> kinds = new ArrayList<>();
    write.getBatch().forEach(each -> kinds.add(each.getClass().getSimpleName()));
    if (failing.contains(persistenceId)) {
      add(failed, persistenceId, kinds);
      return StorageFailure.create();
    }
    add(written, persistenceId, kinds);
    return ProcessingSuccess.getInstance();
  }

  private static void add(Map<String, List<List<String>>> to, String id, List<String> kinds) {
    to.computeIfAbsent(id, key -> new CopyOnWriteArrayList<>()).add(kinds);
  }
}
