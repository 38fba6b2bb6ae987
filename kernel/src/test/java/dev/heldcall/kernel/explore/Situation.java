package dev.heldcall.kernel.explore;

import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.ReadBackReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One state of the explored system: what is in the journal, what is in memory, what the world has
 * done and what people know. A move copies it, changes the copy, and nothing changes it after that.
 */
final class Situation {

  /** A command that waits for a policy read; it was begun when {@code epoch} was in force. */
  record HeldBack(
      String name, HeldCallCommand command, Incarnation.Reaction reaction, long epoch) {}

  /** A read-back's answer that has not been taken in. */
  record Asked(String leaseId, Instant at, ReadBackReport report) {}

  /** Something that really happened. */
  record Effect(String leaseId, String key) {}

  // in the journal
  HeldCallFacts facts = HeldCallFacts.NONE;
  @Nullable Journal journal;

  // in the memory of the process
  long knownEpoch = 1;
  Set<String> running = Set.of();
  Set<String> cannotTell = Set.of();
  @Nullable HeldBack held;
  @Nullable Asked asked;
  @Nullable Asked askedBefore;

  // in the world
  int second;
  long epoch = 1;
  List<Flight> flights = List.of();
  List<Effect> effects = List.of();
  DependencyState dependency = DependencyState.PENDING;
  boolean childDone;

  /** Which content of the dependency was last told: none, the first, the second. */
  int upstream;

  // what people have said, and the explorer's own book on what follows from it
  List<Statement> statements = List.of();
  @Nullable Policy heldUnder;
  int expiresAt = Integer.MAX_VALUE;
  int holdStarted = -1;
  boolean edited;
  boolean wishedToCancel;
  boolean announced;

  Situation copy() {
    Situation copy = new Situation();
    copy.facts = facts;
    copy.journal = journal;
    copy.knownEpoch = knownEpoch;
    copy.running = running;
    copy.cannotTell = cannotTell;
    copy.held = held;
    copy.asked = asked;
    copy.askedBefore = askedBefore;
    copy.second = second;
    copy.epoch = epoch;
    copy.flights = flights;
    copy.effects = effects;
    copy.dependency = dependency;
    copy.childDone = childDone;
    copy.upstream = upstream;
    copy.statements = statements;
    copy.heldUnder = heldUnder;
    copy.expiresAt = expiresAt;
    copy.holdStarted = holdStarted;
    copy.edited = edited;
    copy.wishedToCancel = wishedToCancel;
    copy.announced = announced;
    return copy;
  }

  Instant now() {
    return Cast.START.plusSeconds(second);
  }

  static int secondOf(Instant instant) {
    return (int) Duration.between(Cast.START, instant).toSeconds();
  }

  void flight(String leaseId, UnaryOperator<Flight> change) {
    List<Flight> changed = new ArrayList<>();
    for (Flight each : flights) {
      changed.add(each.lease().leaseId().equals(leaseId) ? change.apply(each) : each);
    }
    flights = List.copyOf(changed);
  }

  /** How many attestations of the voice were accepted for the generation that stands. */
  int said(int voice) {
    int generation = facts.requireGeneration().number();
    int count = 0;
    for (Statement each : statements) {
      count += each.voice() == voice && each.generation() == generation ? 1 : 0;
    }
    return count;
  }

  boolean happened(String key) {
    return effects.stream().anyMatch(each -> each.key().equals(key));
  }

  static <T> Set<T> with(Set<T> set, T one) {
    Set<T> more = new HashSet<>(set);
    more.add(one);
    return Set.copyOf(more);
  }

  static <T> Set<T> without(Set<T> set, T one) {
    Set<T> fewer = new HashSet<>(set);
    fewer.remove(one);
    return Set.copyOf(fewer);
  }

  static <T> List<T> with(List<T> list, T one) {
    List<T> more = new ArrayList<>(list);
    more.add(one);
    return List.copyOf(more);
  }
}
