package dev.heldcall.witness.inbox;

import dev.heldcall.witness.webhook.WebhookTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of an {@code inbox} provider. Wherever somebody is named, it is a group or a person.
 *
 * @param groups people, by the group's name
 * @param assign whom requests go to first: the first line for the tool counts
 * @param reassign whom they go to instead, soonest first: the last line that is due counts
 * @param delegations who stands in for whom: a person's first line that stands counts
 * @param remind how long before a call's end people are reminded, longest first
 * @param tell who is told of all that, or null
 */
record InboxSettings(
    Map<String, List<String>> groups,
    List<Assign> assign,
    List<Reassign> reassign,
    List<Delegation> delegations,
    List<Duration> remind,
    @Nullable WebhookTarget tell) {

  InboxSettings {
    groups = Map.copyOf(groups);
    assign = List.copyOf(assign);
    reassign = List.copyOf(reassign);
    delegations = List.copyOf(delegations);
    remind = List.copyOf(remind);
  }

  /** Requests of these tools go there. */
  record Assign(ToolNames tools, String to) {}

  /**
   * Requests of these tools go there once so much time is over since the call was proposed.
   *
   * @param after more than none
   */
  record Reassign(Duration after, ToolNames tools, String to) {}

  /**
   * Somebody is asked in another's place.
   *
   * @param since from when on, or null for always
   * @param until from when on no longer, or null for ever
   */
  record Delegation(
      String from, String to, @Nullable Instant since, @Nullable Instant until, ToolNames tools) {

    boolean stands(Instant at) {
      return (since == null || !at.isBefore(since)) && (until == null || at.isBefore(until));
    }
  }

  /** The people behind a name: a group's, or the person. */
  List<String> people(String name) {
    return groups.getOrDefault(name, List.of(name));
  }
}
