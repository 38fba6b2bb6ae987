package dev.heldcall.plugin.api;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a tool's entry or a policy rule lets others than the proposer see of a call's arguments. A
 * {@code summary} without declared fields shows only the kinds of the top-level fields.
 *
 * @param disclosure how much
 * @param redact the fields that a {@code summary} does not show: JSON Pointers (RFC 6901) whose
 *     segment {@code *} stands for every element or member; at most {@value #MAX_REDACT}
 */
public record DisclosureRule(Disclosure disclosure, SortedSet<String> redact) {

  /** The most fields that one rule redacts; where more come together, only kinds are shown. */
  public static final int MAX_REDACT = 256;

  /** The longest pointer, in characters. */
  public static final int MAX_POINTER = 256;

  /** Everything is shown, and nothing is declared. */
  public static final DisclosureRule FULL =
      new DisclosureRule(Disclosure.FULL, Collections.emptySortedSet());

  private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*)+");

  /**
   * @throws IllegalArgumentException if there are too many pointers, or one of them is none
   */
  public DisclosureRule {
    if (redact.size() > MAX_REDACT) {
      throw new IllegalArgumentException("at most " + MAX_REDACT + " fields can be redacted");
    }
    for (String pointer : redact) {
      String problem = problem(pointer);
      if (problem != null) {
        throw new IllegalArgumentException(problem);
      }
    }
    redact = Collections.unmodifiableSortedSet(new TreeSet<>(redact));
  }

  /** As much as that, with no fields declared. */
  public static DisclosureRule of(Disclosure disclosure) {
    return disclosure == Disclosure.FULL
        ? FULL
        : new DisclosureRule(disclosure, Collections.emptySortedSet());
  }

  /**
   * What somebody declared: fields to redact without a word on how much mean a {@code summary}.
   *
   * @param disclosure how much, or null if nothing was said
   */
  public static DisclosureRule declared(
      @Nullable Disclosure disclosure, Collection<String> redact) {
    if (disclosure != null) {
      return new DisclosureRule(disclosure, new TreeSet<>(redact));
    }
    return redact.isEmpty() ? FULL : new DisclosureRule(Disclosure.SUMMARY, new TreeSet<>(redact));
  }

  /** What is wrong with a pointer, or null. */
  public static @Nullable String problem(String pointer) {
    return pointer.length() <= MAX_POINTER && POINTER.matcher(pointer).matches()
        ? null
        : "expected a JSON Pointer of at most "
            + MAX_POINTER
            + " characters such as /card_number or /items/*/iban, found '"
            + (pointer.length() > 64 ? pointer.substring(0, 64) + "…" : pointer)
            + "'";
  }

  /** Whether only the kinds of the top-level fields are shown. */
  public boolean kindsOnly() {
    return disclosure == Disclosure.SUMMARY && redact.isEmpty();
  }

  /** Both, said by one authority: the lesser disclosure, and all the fields. */
  public DisclosureRule beside(DisclosureRule other) {
    return united(disclosure.and(other.disclosure), this, other);
  }

  /**
   * This, as somebody below who can only narrow leaves it: fields that the lower one declares do
   * not open what is not shown here.
   */
  public DisclosureRule narrowedBy(DisclosureRule lower) {
    Disclosure less = disclosure.and(lower.disclosure);
    return kindsOnly() ? of(less) : united(less, this, lower);
  }

  /** No more than either shows. */
  public DisclosureRule and(DisclosureRule other) {
    Disclosure less = disclosure.and(other.disclosure);
    return kindsOnly() || other.kindsOnly() ? of(less) : united(less, this, other);
  }

  private static DisclosureRule united(Disclosure less, DisclosureRule a, DisclosureRule b) {
    if (less == Disclosure.DIGEST) {
      return of(less);
    }
    TreeSet<String> all = new TreeSet<>(a.redact);
    all.addAll(b.redact);
    return all.size() > MAX_REDACT
        ? of(less.and(Disclosure.SUMMARY))
        : new DisclosureRule(less, all);
  }

  /** The pointer's segments, unescaped. */
  public static List<String> segments(String pointer) {
    return List.of(pointer.substring(1).split("/", -1)).stream()
        .map(each -> each.replace("~1", "/").replace("~0", "~"))
        .toList();
  }
}
