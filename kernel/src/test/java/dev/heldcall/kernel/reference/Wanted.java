package dev.heldcall.kernel.reference;

import java.util.ArrayList;
import java.util.List;

/**
 * A rule as the design's table has it, with its own text.
 *
 * @param number what tells it from the other parts, once {@link #numbered}
 * @param kind leaf, and, or, fallback
 * @param of the class of a leaf
 * @param approves how many identities must approve
 * @param denies how many must deny
 * @param seconds after how many seconds a fallback opens
 * @param parts of all but a leaf
 */
record Wanted(
    int number, String kind, String of, int approves, int denies, int seconds, List<Wanted> parts) {

  static Wanted leaf(String of, int approves, int denies) {
    return new Wanted(0, "leaf", of, approves, denies, 0, List.of());
  }

  static Wanted both(List<Wanted> parts) {
    return new Wanted(0, "and", "", 0, 0, 0, parts);
  }

  static Wanted either(List<Wanted> parts) {
    return new Wanted(0, "or", "", 0, 0, 0, parts);
  }

  static Wanted fallback(Wanted first, int seconds, Wanted then) {
    return new Wanted(0, "fallback", "", 0, 0, seconds, List.of(first, then));
  }

  /** The same rule with a number for each part. */
  Wanted numbered() {
    return numbered(new int[1]);
  }

  private Wanted numbered(int[] last) {
    int own = ++last[0];
    List<Wanted> inner = new ArrayList<>();
    parts.forEach(part -> inner.add(part.numbered(last)));
    return new Wanted(own, kind, of, approves, denies, seconds, inner);
  }

  /** As somebody might write it: with too many parentheses, or as a list. */
  String text(boolean asList) {
    List<String> texts = new ArrayList<>();
    for (Wanted part : parts) {
      texts.add(part.text(!asList));
    }
    return switch (kind) {
      case "leaf" ->
          approves == 1 && denies == 1
              ? of
              : "quorum(" + approves + ", " + of + (denies == 1 ? ")" : ", deny " + denies + ")");
      case "and" ->
          asList ? "all(" + String.join(", ", texts) + ")" : "(" + String.join(" & ", texts) + ")";
      case "or" ->
          asList ? "any(" + String.join(", ", texts) + ")" : "(" + String.join(" | ", texts) + ")";
      default -> "fallback(" + texts.get(0) + ", " + seconds + "s, " + texts.get(1) + ")";
    };
  }

  /** The leaves, each by itself. */
  List<Wanted> leaves() {
    if (kind.equals("leaf")) {
      return List.of(this);
    }
    return parts.stream().flatMap(part -> part.leaves().stream()).toList();
  }
}
