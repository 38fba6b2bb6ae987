package dev.heldcall.witness.inbox;

import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.inbox.InboxSettings.Assign;
import dev.heldcall.witness.inbox.InboxSettings.Delegation;
import dev.heldcall.witness.inbox.InboxSettings.Reassign;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whom a request is assigned to, from when its call was proposed until it ends. It follows from the
 * request and the settings alone: there is no state that a restart could lose.
 *
 * @param periods in order; each ends where the next begins; never empty
 */
record Timeline(List<Period> periods) {

  /** From when on it is assigned so. */
  record Period(Instant from, Assignment assignment) {}

  Timeline {
    periods = List.copyOf(periods);
  }

  static Timeline of(WitnessRequest request, InboxSettings settings) {
    List<Period> periods = new ArrayList<>();
    for (Instant time : times(request, settings)) {
      Assignment then = at(request, settings, time);
      if (periods.isEmpty() || !periods.getLast().assignment().equals(then)) {
        periods.add(new Period(time, then));
      }
    }
    return new Timeline(periods);
  }

  /** The period that a time is in; the first for a time before it. */
  Period at(Instant now) {
    Period found = periods.getFirst();
    for (Period each : periods) {
      if (!each.from().isAfter(now)) {
        found = each;
      }
    }
    return found;
  }

  /** The period that begins next. */
  Optional<Period> after(Instant now) {
    return periods.stream().filter(each -> each.from().isAfter(now)).findFirst();
  }

  /** When anything can change, from the proposal on. */
  private static Set<Instant> times(WitnessRequest request, InboxSettings settings) {
    TreeSet<Instant> times = new TreeSet<>();
    settings.reassign().forEach(each -> times.add(request.createdAt().plus(each.after())));
    for (Delegation each : settings.delegations()) {
      if (each.since() != null) {
        times.add(each.since());
      }
      if (each.until() != null) {
        times.add(each.until());
      }
    }
    Instant start = request.createdAt();
    Instant end = request.expiresAt();
    times.removeIf(each -> !each.isAfter(start) || (end != null && !each.isBefore(end)));
    times.add(start);
    return times;
  }

  private static Assignment at(WitnessRequest request, InboxSettings settings, Instant time) {
    String to = named(request, settings, time);
    if (to == null) {
      return Assignment.NONE;
    }
    Set<String> asked = new LinkedHashSet<>();
    for (String person : settings.people(to)) {
      asked.addAll(standingIn(person, request.tool(), settings, time));
    }
    return new Assignment(to, List.copyOf(asked));
  }

  private static @Nullable String named(
      WitnessRequest request, InboxSettings settings, Instant time) {
    String to = null;
    for (Assign each : settings.assign()) {
      if (each.tools().has(request.tool())) {
        to = each.to();
        break;
      }
    }
    for (Reassign each : settings.reassign()) {
      boolean due = !time.isBefore(request.createdAt().plus(each.after()));
      if (due && each.tools().has(request.tool())) {
        to = each.to();
      }
    }
    return to;
  }

  /**
   * Who is asked in a person's place. Those who stand in for each other in a circle are all away;
   * when nobody else is left, the person is asked after all, for a request must not get lost.
   */
  private static Set<String> standingIn(
      String person, String tool, InboxSettings settings, Instant time) {
    Set<String> found = new LinkedHashSet<>();
    Set<String> seen = new HashSet<>();
    Deque<String> next = new ArrayDeque<>(List.of(person));
    while (!next.isEmpty()) {
      String one = next.removeFirst();
      if (!seen.add(one)) {
        continue;
      }
      Optional<Delegation> delegation =
          settings.delegations().stream()
              .filter(each -> each.from().equals(one))
              .filter(each -> each.stands(time) && each.tools().has(tool))
              .findFirst();
      if (delegation.isPresent()) {
        next.addAll(settings.people(delegation.get().to()));
      } else {
        found.add(one);
      }
    }
    return found.isEmpty() ? Set.of(person) : found;
  }
}
