package dev.heldcall.kernel.reference;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A held call by the words of the design: what was attested, and when, decides; everything is
 * looked at anew each time. Seconds count from the beginning of the hold.
 */
final class ReferenceCall {

  /** Everything that was accepted, what lost its worth too. */
  private static final class Given {
    final String id;
    final String who;
    final String as;
    final boolean approve;
    final int until;
    final int generation;
    boolean revoked;

    Given(String id, String who, String as, boolean approve, int until, int generation) {
      this.id = id;
      this.who = who;
      this.as = as;
      this.approve = approve;
      this.until = until;
      this.generation = generation;
    }
  }

  private final Wanted rule;
  private final Set<String> veto;
  private final boolean distinct;
  private final boolean holds;
  private final int expires;
  private final Map<String, String> actsFor;
  private final List<Given> all = new ArrayList<>();
  private final Set<Integer> opened = new HashSet<>();
  private final List<Wanted> leaves;

  private String lifecycle = "open";
  private boolean leased;
  private int generation = 1;
  private int started;

  /**
   * A call that is held from second 0 on.
   *
   * @param actsFor whom each delegate acts for
   */
  ReferenceCall(
      Wanted rule,
      Set<String> veto,
      boolean distinct,
      boolean holds,
      int expires,
      Map<String, String> actsFor) {
    this.rule = rule.numbered();
    this.veto = veto;
    this.distinct = distinct;
    this.holds = holds;
    this.expires = expires;
    this.actsFor = actsFor;
    this.leaves = this.rule.leaves();
  }

  /** Time has come so far, and nothing else. */
  void tick(int now) {
    if (undecided() && now >= expires) {
      lifecycle = "expired";
    }
    if (undecided()) {
      open(rule, now);
      if (!holds && readiness(now).equals("refuted")) {
        lifecycle = "denied";
      }
    }
  }

  /** What the witness is answered. */
  String attest(int now, String id, String who, String as, boolean approve, int until) {
    expire(now);
    String answer = answer(now, id, who, as, approve, until);
    if (answer.equals("accepted")) {
      all.add(new Given(id, who, as, approve, until, generation));
    }
    tick(now);
    return answer;
  }

  private String answer(int now, String id, String who, String as, boolean approve, int until) {
    for (Given each : all) {
      if (each.id.equals(id)) {
        return each.who.equals(who)
                && each.as.equals(as)
                && each.approve == approve
                && each.until == until
                && each.generation == generation
            ? "duplicate"
            : "attestation-conflict";
      }
    }
    if (!undecided()) {
      return "stale";
    }
    return until > now && !who.equals("agent-1") && !"agent-1".equals(actsFor.get(who))
        ? "accepted"
        : "invalid";
  }

  /** What who takes it back is answered. */
  String revoke(int now, String id, String who) {
    expire(now);
    String answer = "not-found";
    for (Given each : all) {
      if (each.id.equals(id)) {
        if (!each.who.equals(who)) {
          answer = "forbidden";
        } else if (each.revoked) {
          answer = "stands";
        } else if (!undecided()) {
          answer = "too-late";
        } else {
          each.revoked = true;
          answer = "stands";
        }
      }
    }
    tick(now);
    return answer;
  }

  /** Whether a worker gets the lease. */
  boolean lease(int now) {
    expire(now);
    // What time brings comes before the worker only if it was noticed: the lease itself asks.
    boolean granted = undecided() && readiness(now).equals("satisfied");
    leased |= granted;
    tick(now);
    return granted;
  }

  /** Whether the next generation is made, with the same demand, and nothing of the older counts. */
  boolean edit(int now) {
    expire(now);
    boolean edited = undecided();
    if (edited) {
      generation++;
      started = now;
      opened.clear();
    }
    tick(now);
    return edited;
  }

  String lifecycle() {
    return lifecycle;
  }

  boolean leased() {
    return leased;
  }

  /** satisfied, refuted or unsatisfied. */
  String readiness(int now) {
    List<Given> counting = new ArrayList<>();
    for (Given each : all) {
      if (!each.revoked && now < each.until && each.generation == generation) {
        counting.add(each);
      }
    }
    Table table = new Table(counting);
    char value = table.value(rule);
    boolean vetoed = false;
    for (Given each : counting) {
      vetoed |= !each.approve && veto.contains(each.as);
    }
    if (value == 'F' || vetoed) {
      return "refuted";
    }
    return value == 'T' ? "satisfied" : "unsatisfied";
  }

  private boolean undecided() {
    return lifecycle.equals("open") && !leased;
  }

  private void expire(int now) {
    if (undecided() && now >= expires) {
      lifecycle = "expired";
    }
  }

  private void open(Wanted part, int now) {
    if (part.kind().equals("fallback") && now >= started + part.seconds()) {
      opened.add(part.number());
    }
    part.parts().forEach(each -> open(each, now));
  }

  /** The table of the witness rule over what counts. */
  private final class Table {

    private final List<Given> counting;
    private final List<String> parties;

    Table(List<Given> counting) {
      this.counting = counting;
      Set<String> names = new TreeSet<>();
      counting.forEach(each -> names.add(party(each)));
      this.parties = List.copyOf(names);
    }

    private String party(Given given) {
      return distinct ? actsFor.getOrDefault(given.who, given.who) : given.who;
    }

    char value(Wanted part) {
      boolean holdsTrue = distinct ? dealt(part, new ArrayList<>()) : isTrue(part, null);
      if (holdsTrue) {
        return 'T';
      }
      return isFalse(part) ? 'F' : 'U';
    }

    private boolean isFalse(Wanted part) {
      return switch (part.kind()) {
        case "leaf" -> denying(part) >= part.denies();
        case "and" -> part.parts().stream().anyMatch(each -> value(each) == 'F');
        case "or" -> part.parts().stream().allMatch(each -> value(each) == 'F');
        default -> {
          char first = value(part.parts().get(0));
          char then = value(part.parts().get(1));
          yield first == 'F' || (opened.contains(part.number()) && then == 'F' && first != 'T');
        }
      };
    }

    /** Tries every way to give each party to one leaf that it approves, or to none. */
    private boolean dealt(Wanted part, List<Integer> serves) {
      if (serves.size() == parties.size()) {
        return isTrue(part, serves);
      }
      String party = parties.get(serves.size());
      for (int leaf = -1; leaf < leaves.size(); leaf++) {
        if (leaf >= 0 && !says(party, leaves.get(leaf).of(), true)) {
          continue;
        }
        serves.add(leaf);
        boolean found = dealt(part, serves);
        serves.removeLast();
        if (found) {
          return true;
        }
      }
      return false;
    }

    private boolean isTrue(Wanted part, @Nullable List<Integer> serves) {
      return switch (part.kind()) {
        case "leaf" -> denying(part) < part.denies() && approving(part, serves) >= part.approves();
        case "and" -> part.parts().stream().allMatch(each -> isTrue(each, serves));
        case "or" -> part.parts().stream().anyMatch(each -> isTrue(each, serves));
        default ->
            isTrue(part.parts().get(0), serves)
                || (opened.contains(part.number())
                    && value(part.parts().get(0)) != 'F'
                    && isTrue(part.parts().get(1), serves));
      };
    }

    private int denying(Wanted leaf) {
      int count = 0;
      for (String party : parties) {
        count += says(party, leaf.of(), false) ? 1 : 0;
      }
      return count;
    }

    private int approving(Wanted leaf, @Nullable List<Integer> serves) {
      int count = 0;
      for (int i = 0; i < parties.size(); i++) {
        String party = parties.get(i);
        boolean here =
            serves == null || leaves.get(Math.max(0, serves.get(i))).number() == leaf.number();
        boolean free = serves == null || serves.get(i) >= 0;
        count += here && free && !says(party, "", false) && says(party, leaf.of(), true) ? 1 : 0;
      }
      return count;
    }

    /** Whether the party says so under the class, or under any if it is empty. */
    private boolean says(String party, String as, boolean approve) {
      for (Given each : counting) {
        if (party(each).equals(party)
            && each.approve == approve
            && (as.isEmpty() || each.as.equals(as))) {
          return true;
        }
      }
      return false;
    }
  }
}
