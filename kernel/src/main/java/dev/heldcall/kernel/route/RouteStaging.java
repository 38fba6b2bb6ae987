package dev.heldcall.kernel.route;

import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.WitnessRule;
import dev.heldcall.plugin.api.WitnessRule.AllOf;
import dev.heldcall.plugin.api.WitnessRule.AnyOf;
import dev.heldcall.plugin.api.WitnessRule.Fallback;
import dev.heldcall.plugin.api.WitnessRule.OfClass;
import dev.heldcall.plugin.api.WitnessRule.Quorum;
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
 * <p>Parts of {@code &} are all needed and all asked. Of {@code |} the cheapest part is asked, those
 * that cost the same with it, and the next when it cannot help any more. Of several providers of one
 * class likewise; a quorum asks all of them at once, for it needs more than one. People who look
 * into the inbox cost nothing and are never waited for.
 */
final class RouteStaging {

  private final Set<Integer> open;
  private final Function<String, List<ProviderContract>> providers;
  private final Predicate<String> exhausted;
  private int fallbacks;

  private RouteStaging(
      Set<Integer> open,
      Function<String, List<ProviderContract>> providers,
      Predicate<String> exhausted) {
    this.open = open;
    this.providers = providers;
    this.exhausted = exhausted;
  }

  /** What a part asks, what that costs, and whether it cannot help any more. */
  private record Part(SortedSet<String> asked, int cost, boolean spent) {}

  /**
   * The providers to ask.
   *
   * @param open the fallbacks that are open, as {@code RuleShape} numbers them
   * @param providers the providers of a class
   * @param exhausted whether nothing more comes of a provider
   * @return their names
   */
  static SortedSet<String> asked(
      WitnessRule rule,
      Set<Integer> open,
      Function<String, List<ProviderContract>> providers,
      Predicate<String> exhausted) {
    return new RouteStaging(open, providers, exhausted).part(rule).asked();
  }

  private Part part(WitnessRule rule) {
    return switch (rule) {
      case OfClass(var witnessClass) -> staged(providers.apply(witnessClass));
      case Quorum(var approvals, var witnessClass, _) ->
          approvals == 1
              ? staged(providers.apply(witnessClass))
              : together(providers.apply(witnessClass));
      case AllOf(var parts) -> all(parts.stream().map(this::part).toList());
      case AnyOf(var parts) -> any(parts.stream().map(this::part).toList());
      case Fallback(var first, _, var then) -> {
        boolean opened = open.contains(fallbacks++);
        Part one = part(first);
        Part other = part(then);
        yield opened
            ? new Part(union(List.of(one, other)), one.cost(), one.spent() && other.spent())
            : one;
      }
    };
  }

  private Part staged(List<ProviderContract> all) {
    SortedSet<String> asked = new TreeSet<>();
    List<Integer> costs = all.stream().map(ProviderContract::cost).distinct().sorted().toList();
    boolean spent = !all.isEmpty();
    for (int cost : costs) {
      List<String> tier =
          all.stream().filter(each -> each.cost() == cost).map(ProviderContract::id).toList();
      asked.addAll(tier);
      if (!tier.stream().allMatch(exhausted)) {
        spent = false;
        break;
      }
    }
    return new Part(asked, costs.isEmpty() ? 0 : costs.getFirst(), spent);
  }

  private Part together(List<ProviderContract> all) {
    SortedSet<String> asked = new TreeSet<>();
    all.forEach(each -> asked.add(each.id()));
    int cost = all.stream().mapToInt(ProviderContract::cost).min().orElse(0);
    return new Part(asked, cost, !all.isEmpty() && asked.stream().allMatch(exhausted));
  }

  private static Part all(List<Part> parts) {
    int cost = parts.stream().mapToInt(Part::cost).max().orElse(0);
    return new Part(union(parts), cost, parts.stream().anyMatch(Part::spent));
  }

  private static Part any(List<Part> parts) {
    List<Part> cheapFirst = parts.stream().sorted(Comparator.comparingInt(Part::cost)).toList();
    SortedSet<String> asked = new TreeSet<>();
    int reached = cheapFirst.getFirst().cost();
    boolean helps = false;
    for (Part part : cheapFirst) {
      if (helps && part.cost() > reached) {
        break;
      }
      reached = part.cost();
      asked.addAll(part.asked());
      helps |= !part.spent() && !part.asked().isEmpty();
    }
    return new Part(
        asked, cheapFirst.getFirst().cost(), parts.stream().allMatch(Part::spent));
  }

  private static SortedSet<String> union(List<Part> parts) {
    SortedSet<String> all = new TreeSet<>();
    parts.forEach(part -> all.addAll(part.asked()));
    return Collections.unmodifiableSortedSet(all);
  }
}
