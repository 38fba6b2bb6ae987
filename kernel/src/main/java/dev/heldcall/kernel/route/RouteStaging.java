package dev.heldcall.kernel.route;

import dev.heldcall.kernel.witness.RuleEvaluator;
import dev.heldcall.kernel.witness.RuleValue;
import dev.heldcall.kernel.witness.Vote;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.WitnessRule;
import dev.heldcall.plugin.api.WitnessRule.AllOf;
import dev.heldcall.plugin.api.WitnessRule.AnyOf;
import dev.heldcall.plugin.api.WitnessRule.Fallback;
import dev.heldcall.plugin.api.WitnessRule.OfClass;
import dev.heldcall.plugin.api.WitnessRule.Quorum;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Whom to ask now, by cost: of several ways to satisfy a rule the dearer is asked only when every
 * cheaper one has come to nothing. It changes who is asked and never what counts: evidence that
 * comes unasked is as good.
 *
 * <p>Parts of {@code &} are all needed and all asked. Of {@code |} the cheapest part is asked,
 * those that cost the same with it, and the next when it cannot help any more. Of several providers
 * of one class likewise; a quorum asks all of them at once, for it needs more than one. People who
 * look into the inbox cost nothing and are never waited for. Where the evidence at hand has decided
 * a part, nobody dearer is asked for it.
 */
final class RouteStaging {

  private final Set<Integer> open;
  private final Function<String, List<ProviderContract>> providers;
  private final Predicate<String> exhausted;
  private final Collection<Vote> votes;
  private int fallbacks;

  private RouteStaging(
      Set<Integer> open,
      Function<String, List<ProviderContract>> providers,
      Predicate<String> exhausted,
      Collection<Vote> votes) {
    this.open = open;
    this.providers = providers;
    this.exhausted = exhausted;
    this.votes = votes;
  }

  /**
   * One part of the rule.
   *
   * @param asked whom it asks
   * @param cost what that costs at least
   * @param value what it is worth by now
   * @param spent whether it cannot become true by anybody who is asked
   * @param live whether somebody is asked who may still bring it further
   */
  private record Part(
      SortedSet<String> asked, int cost, RuleValue value, boolean spent, boolean live) {
    boolean is(RuleValue other) {
      return value == other;
    }
  }

  /**
   * The providers to ask.
   *
   * @param open the fallbacks that are open, as {@code RuleShape} numbers them
   * @param providers the providers of a class
   * @param exhausted whether nothing more comes of a provider
   * @param votes the evidence that counts, as far as it can decide a part: none where an identity
   *     may serve only one part, for what one part has of it another may miss
   * @return their names
   */
  static SortedSet<String> asked(
      WitnessRule rule,
      Set<Integer> open,
      Function<String, List<ProviderContract>> providers,
      Predicate<String> exhausted,
      Collection<Vote> votes) {
    return new RouteStaging(open, providers, exhausted, votes).part(rule).asked();
  }

  private Part part(WitnessRule rule) {
    return switch (rule) {
      case OfClass(var witnessClass) -> staged(providers.apply(witnessClass), value(rule));
      case Quorum(var approvals, var witnessClass, _) ->
          approvals == 1
              ? staged(providers.apply(witnessClass), value(rule))
              : together(providers.apply(witnessClass), value(rule));
      case AllOf(var parts) -> all(parts.stream().map(this::part).toList());
      case AnyOf(var parts) -> any(parts.stream().map(this::part).toList());
      case Fallback(var first, _, var then) -> {
        boolean opened = open.contains(fallbacks++);
        Part one = part(first);
        Part other = part(then);
        yield opened && one.is(RuleValue.UNKNOWN)
            ? new Part(
                union(List.of(one, other)),
                one.cost(),
                other.value(),
                spentAll(List.of(one, other)),
                one.live() || other.live())
            : one;
      }
    };
  }

  private RuleValue value(WitnessRule leaf) {
    return RuleEvaluator.evaluate(leaf, List.of(), false, votes, Set.of()).value();
  }

  private Part staged(List<ProviderContract> all, RuleValue value) {
    SortedSet<String> asked = new TreeSet<>();
    List<Integer> costs = all.stream().map(ProviderContract::cost).distinct().sorted().toList();
    boolean spent = !all.isEmpty();
    for (int cost : costs) {
      List<String> tier =
          all.stream().filter(each -> each.cost() == cost).map(ProviderContract::id).toList();
      asked.addAll(tier);
      if (value != RuleValue.UNKNOWN || !tier.stream().allMatch(exhausted)) {
        spent = false;
        break;
      }
    }
    return leaf(asked, costs.isEmpty() ? 0 : costs.getFirst(), value, spent);
  }

  private Part together(List<ProviderContract> all, RuleValue value) {
    SortedSet<String> asked = new TreeSet<>();
    all.forEach(each -> asked.add(each.id()));
    int cost = all.stream().mapToInt(ProviderContract::cost).min().orElse(0);
    return leaf(asked, cost, value, !all.isEmpty() && asked.stream().allMatch(exhausted));
  }

  private static Part leaf(SortedSet<String> asked, int cost, RuleValue value, boolean spent) {
    boolean open = value == RuleValue.UNKNOWN;
    return new Part(
        asked,
        cost,
        value,
        value == RuleValue.FALSE || (open && spent),
        open && !spent && !asked.isEmpty());
  }

  /**
   * Where nobody is configured to be asked nothing is waited for, and nothing stands in the way.
   */
  private static boolean spentAll(List<Part> parts) {
    return parts.stream().anyMatch(Part::spent)
        && parts.stream().allMatch(each -> each.spent() || each.asked().isEmpty());
  }

  private static Part all(List<Part> parts) {
    int cost = parts.stream().mapToInt(Part::cost).max().orElse(0);
    RuleValue value = RuleValue.UNKNOWN;
    if (parts.stream().anyMatch(each -> each.is(RuleValue.FALSE))) {
      value = RuleValue.FALSE;
    } else if (parts.stream().allMatch(each -> each.is(RuleValue.TRUE))) {
      value = RuleValue.TRUE;
    }
    boolean spent = parts.stream().anyMatch(Part::spent);
    return new Part(
        union(parts), cost, value, spent, !spent && parts.stream().anyMatch(Part::live));
  }

  private static Part any(List<Part> parts) {
    List<Part> cheapFirst = parts.stream().sorted(Comparator.comparingInt(Part::cost)).toList();
    if (parts.stream().anyMatch(each -> each.is(RuleValue.TRUE))) {
      return decided(cheapFirst);
    }
    SortedSet<String> asked = new TreeSet<>();
    int reached = cheapFirst.getFirst().cost();
    boolean helps = false;
    for (Part part : cheapFirst) {
      if (helps && part.cost() > reached) {
        break;
      }
      reached = part.cost();
      asked.addAll(part.asked());
      helps |= part.live();
    }
    boolean lost = parts.stream().allMatch(each -> each.is(RuleValue.FALSE));
    return new Part(
        asked,
        cheapFirst.getFirst().cost(),
        lost ? RuleValue.FALSE : RuleValue.UNKNOWN,
        spentAll(parts),
        helps);
  }

  /** One part is true already: who is asked stays asked as far as the cheapest that is true. */
  private static Part decided(List<Part> cheapFirst) {
    SortedSet<String> asked = new TreeSet<>();
    for (Part part : cheapFirst) {
      asked.addAll(part.asked());
      if (part.is(RuleValue.TRUE)) {
        break;
      }
    }
    return new Part(asked, cheapFirst.getFirst().cost(), RuleValue.TRUE, false, false);
  }

  private static SortedSet<String> union(List<Part> parts) {
    SortedSet<String> all = new TreeSet<>();
    parts.forEach(part -> all.addAll(part.asked()));
    return Collections.unmodifiableSortedSet(all);
  }
}
