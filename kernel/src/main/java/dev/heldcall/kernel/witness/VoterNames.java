package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.PrincipalRef;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Names who gave the votes, and says until when what they gave counts; bounded, for display. */
final class VoterNames {

  private static final int MAX_NAMES = 8;
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final Collection<Vote> votes;

  VoterNames(Collection<Vote> votes) {
    this.votes = votes;
  }

  /** Who of these parties approves under the class. */
  String approvers(String witnessClass, Set<PrincipalRef> parties) {
    return names(witnessClass, AttestationDecision.APPROVE, parties);
  }

  /** Who denies under the class. */
  String deniers(String witnessClass) {
    return names(witnessClass, AttestationDecision.DENY, null);
  }

  /** Whether the identity, or who counts as one with it, has said anything that bears here. */
  boolean spoke(PrincipalRef identity, String witnessClass) {
    return votes.stream()
        .filter(vote -> vote.identity().equals(identity) || vote.party().equals(identity))
        .anyMatch(
            vote ->
                vote.witnessClass().equals(witnessClass)
                    || vote.decision() == AttestationDecision.DENY);
  }

  /** One line for each party that several identities make up. */
  List<String> countedAsOne() {
    SortedMap<PrincipalRef, SortedSet<PrincipalRef>> parties = new TreeMap<>(Tally.BY_NAME);
    for (Vote vote : votes) {
      parties
          .computeIfAbsent(vote.party(), key -> new TreeSet<>(Tally.BY_NAME))
          .add(vote.identity());
    }
    List<String> lines = new ArrayList<>();
    for (SortedSet<PrincipalRef> members : parties.values()) {
      if (members.size() > 1) {
        lines.add(
            "counted as one: "
                + list(members)
                + " (distinct-identities: they act on one principal's behalf)");
      }
    }
    return lines;
  }

  private String names(
      String witnessClass, AttestationDecision decision, @Nullable Set<PrincipalRef> parties) {
    SortedMap<PrincipalRef, Instant> until = new TreeMap<>(Tally.BY_NAME);
    for (Vote vote : votes) {
      if (vote.witnessClass().equals(witnessClass)
          && vote.decision() == decision
          && (parties == null || parties.contains(vote.party()))) {
        until.merge(
            vote.identity(), vote.until(), (one, other) -> one.isAfter(other) ? one : other);
      }
    }
    String names =
        until.entrySet().stream()
            .limit(MAX_NAMES)
            .map(VoterNames::withTime)
            .collect(Collectors.joining(", "));
    return names + more(until.size());
  }

  private static String withTime(Map.Entry<PrincipalRef, Instant> entry) {
    return entry.getKey().id()
        + (entry.getValue().equals(Instant.MAX) ? "" : " (until " + time(entry.getValue()) + ")");
  }

  /** The names alone. */
  static String list(Collection<PrincipalRef> identities) {
    String names =
        identities.stream()
            .limit(MAX_NAMES)
            .map(PrincipalRef::id)
            .collect(Collectors.joining(", "));
    return names + more(identities.size());
  }

  /** A time as the API spells times. */
  static String time(Instant at) {
    return MILLIS.format(at);
  }

  private static String more(int size) {
    return size > MAX_NAMES ? " and " + (size - MAX_NAMES) + " more" : "";
  }
}
