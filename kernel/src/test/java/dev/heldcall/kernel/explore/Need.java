package dev.heldcall.kernel.explore;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A witness rule judged by the design's table and by nothing of the product: this is what the
 * explorer holds the real evaluator to. Values are T, F and U.
 */
sealed interface Need {

  /**
   * What a witness has said that counts.
   *
   * @param who the identity's id
   * @param witnessClass under which class
   * @param approves approve, else deny
   */
  record Said(String who, String witnessClass, boolean approves) {}

  /** So many different identities of one class. */
  record Of(int approvals, String witnessClass) implements Need {}

  /** Both. */
  record Both(Need left, Need right) implements Need {}

  /** One of them. */
  record Either(Need left, Need right) implements Need {}

  /** The first, and once {@code seconds} have passed also the second. */
  record OrLater(Need first, int seconds, Need then) implements Need {}

  /** The rule as policy documents spell it. */
  default String text() {
    return switch (this) {
      case Of(int approvals, String name) ->
          approvals == 1 ? name : "quorum(" + approvals + ", " + name + ")";
      case Both(Need left, Need right) -> "(" + left.text() + ") & (" + right.text() + ")";
      case Either(Need left, Need right) -> "(" + left.text() + ") | (" + right.text() + ")";
      case OrLater(Need first, int seconds, Need then) ->
          "fallback(" + first.text() + ", " + seconds + "s, " + then.text() + ")";
    };
  }

  /** The rule's value; {@code distinct} lets an identity's approve serve one leaf only. */
  default char value(List<Said> said, boolean distinct, boolean later) {
    boolean holds =
        distinct
            ? dealtOut(said, later, new ArrayList<>(), names(said))
            : holds(said, later, leaf -> any -> true, new int[1]);
    return holds ? 'T' : fails(said, later) ? 'F' : 'U';
  }

  private static List<String> names(List<Said> said) {
    return said.stream().map(Said::who).distinct().toList();
  }

  private int leaves() {
    return switch (this) {
      case Of leaf -> 1;
      case Both(Need left, Need right) -> left.leaves() + right.leaves();
      case Either(Need left, Need right) -> left.leaves() + right.leaves();
      case OrLater(Need first, int seconds, Need then) -> first.leaves() + then.leaves();
    };
  }

  /** Tries every way to let each identity serve one leaf. */
  private boolean dealtOut(
      List<Said> said, boolean later, List<Integer> serves, List<String> names) {
    if (serves.size() == names.size()) {
      return holds(said, later, leaf -> who -> serves.get(names.indexOf(who)) == leaf, new int[1]);
    }
    for (int leaf = 0; leaf < leaves(); leaf++) {
      serves.add(leaf);
      boolean found = dealtOut(said, later, serves, names);
      serves.removeLast();
      if (found) {
        return true;
      }
    }
    return false;
  }

  private boolean holds(
      List<Said> said,
      boolean later,
      java.util.function.IntFunction<Predicate<String>> serves,
      int[] leaf) {
    return switch (this) {
      case Of(int approvals, String name) -> {
        Predicate<String> mine = serves.apply(leaf[0]++);
        Set<String> approvers = new HashSet<>();
        for (Said each : said) {
          boolean denies =
              said.stream().anyMatch(it -> it.who().equals(each.who()) && !it.approves());
          if (each.approves()
              && each.witnessClass().equals(name)
              && !denies
              && mine.test(each.who())) {
            approvers.add(each.who());
          }
        }
        yield !denied(said, name) && approvers.size() >= approvals;
      }
      case Both(Need left, Need right) -> {
        boolean one = left.holds(said, later, serves, leaf);
        boolean other = right.holds(said, later, serves, leaf);
        yield one && other;
      }
      case Either(Need left, Need right) -> {
        boolean one = left.holds(said, later, serves, leaf);
        boolean other = right.holds(said, later, serves, leaf);
        yield one || other;
      }
      case OrLater(Need first, int seconds, Need then) -> {
        boolean now = first.holds(said, later, serves, leaf);
        boolean after = then.holds(said, later, serves, leaf);
        yield now || (later && after && !first.fails(said, true));
      }
    };
  }

  private boolean fails(List<Said> said, boolean later) {
    return switch (this) {
      case Of(int approvals, String name) -> denied(said, name);
      case Both(Need left, Need right) -> left.fails(said, later) || right.fails(said, later);
      case Either(Need left, Need right) -> left.fails(said, later) && right.fails(said, later);
      case OrLater(Need first, int seconds, Need then) ->
          first.fails(said, later)
              || (later
                  && then.fails(said, true)
                  && !first.holds(said, true, leaf -> any -> true, new int[1]));
    };
  }

  private static boolean denied(List<Said> said, String name) {
    return said.stream().anyMatch(it -> !it.approves() && it.witnessClass().equals(name));
  }

  /** Of one identity of the class. */
  static Need one(String witnessClass) {
    return new Of(1, witnessClass);
  }
}
