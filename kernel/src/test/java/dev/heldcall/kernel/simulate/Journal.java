package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.codec.JournalCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The database's journal: appends are atomic, and a (persistence id, sequence number) is taken
 * once. A conflict fails only that write. A write may take long, fail, be made although it was
 * reported as failed, or be made only after that. Every recovery reads what the real codec wrote.
 */
final class Journal {

  /** After how long the plugin's circuit breaker gives a write up. */
  private static final int BREAKER_MILLIS = 10_000;

  private final Simulation world;
  private final SplittableRandom random;
  private final JournalCodec codec;
  private final Map<String, Log> logs = new LinkedHashMap<>();

  /** One persistence id: its events, their bytes once somebody read them, and what they make. */
  private static final class Log {
    final List<Object> events = new ArrayList<>();
    final List<Written> written = new ArrayList<>();
    HeldCallFacts facts = HeldCallFacts.NONE;
  }

  private static final class Written {
    final String manifest;
    final byte[] bytes;

    Written(String manifest, byte[] bytes) {
      this.manifest = manifest;
      this.bytes = bytes;
    }
  }

  Journal(Simulation world, JournalCodec codec) {
    this.world = world;
    this.random = world.random();
    this.codec = codec;
  }

  /** Writes the events at the sequence number and those after it; the node is told how it went. */
  void append(
      Node node, String id, long first, List<? extends Object> events, Consumer<Boolean> told) {
    Faults faults = world.faults();
    Timeline timeline = world.timeline();
    boolean lease = events.stream().anyMatch(HeldCallEvent.LeaseGranted.class::isInstance);
    if (lease && faults.strikes(Fault.NODE_PAUSED)) {
      // The worst moment: the lease is written, and nobody here hears of it until much later.
      timeline.after(random.nextInt(3), node, () -> world.troubles().pauseLong(node));
    }
    long made = 1L + random.nextInt(6);
    long heard = 1L + random.nextInt(3);
    if (faults.strikes(Fault.WRITE_FAILED)) {
      timeline.after(made, node, () -> told.accept(false));
    } else if (faults.strikes(Fault.WRITE_LATE)) {
      long givenUp = random.nextBoolean() ? BREAKER_MILLIS : 5L + random.nextInt(200);
      timeline.after(givenUp, node, () -> told.accept(false));
      timeline.after(givenUp + 1 + random.nextInt(3_000), () -> take(node, id, first, events));
    } else if (faults.strikes(Fault.WRITE_ANSWER_LOST)) {
      timeline.after(made, () -> take(node, id, first, events));
      timeline.after(made + heard + random.nextInt(500), node, () -> told.accept(false));
    } else {
      boolean slow = faults.strikes(Fault.WRITE_SLOW);
      long write = made + (slow && random.nextBoolean() ? 300L + random.nextInt(5_000) : 0);
      long answer = heard + (slow ? 200L + random.nextInt(4_000) : 0);
      timeline.after(
          write,
          () -> {
            boolean taken = take(node, id, first, events);
            timeline.after(answer, node, () -> told.accept(taken));
          });
    }
  }

  private boolean take(Node node, String id, long first, List<? extends Object> events) {
    Log log = logs.computeIfAbsent(id, key -> new Log());
    long next = log.events.size() + 1L;
    if (first > next) {
      world
          .oracle()
          .broken("a gap in the journal of " + id + ": " + first + " after " + (next - 1));
    }
    if (first < next) {
      world.faults().count(Fault.WRITE_CONFLICT);
      world.trace().note(node.name(), "conflicts at", () -> world.shortName(id) + " " + first);
      if (!world.planted(Plant.NO_FENCE)) {
        return false;
      }
    }
    for (Object event : events) {
      log.events.add(event);
      world.trace().note(world.shortName(id), "has", () -> Tell.event(event));
      if (event instanceof HeldCallEvent ofCall) {
        log.facts = HeldCallReducer.reduce(log.facts, ofCall);
      }
    }
    world.oracle().appended(id, events, log.facts);
    if (log.facts.proposed()) {
      world.index().appended(id);
    }
    return true;
  }

  /** Reads all events of the id, through their bytes; null if it cannot be read now. */
  void read(Node node, String id, Consumer<@Nullable List<Object>> came) {
    long takes = 1L + random.nextInt(5);
    if (world.faults().strikes(Fault.RECOVERY_FAILED)) {
      world.timeline().after(takes + random.nextInt(1_000), node, () -> came.accept(null));
      return;
    }
    world
        .timeline()
        .after(
            takes,
            () -> {
              List<Object> events = recovered(id);
              world.timeline().after(1 + random.nextInt(3), node, () -> came.accept(events));
            });
  }

  /** All events of the id, written and read back by the real codec. */
  List<Object> recovered(String id) {
    Log log = logs.get(id);
    if (log == null) {
      return List.of();
    }
    for (int i = log.written.size(); i < log.events.size(); i++) {
      Object event = log.events.get(i);
      log.written.add(new Written(codec.manifest(event), codec.write(event)));
    }
    List<Object> events = new ArrayList<>(log.written.size());
    for (Written each : log.written) {
      events.add(codec.read(each.manifest, each.bytes));
    }
    return events;
  }

  /** How many events of the id are written. */
  long size(String id) {
    Log log = logs.get(id);
    return log == null ? 0 : log.events.size();
  }

  /** The call's facts as the journal has them. */
  HeldCallFacts facts(String id) {
    Log log = logs.get(id);
    return log == null ? HeldCallFacts.NONE : log.facts;
  }
}
