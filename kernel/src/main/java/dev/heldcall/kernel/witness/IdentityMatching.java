package dev.heldcall.kernel.witness;

import dev.heldcall.plugin.api.PrincipalRef;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gives every identity to at most one class so that each class gets as many as a {@link Demand}
 * asks: bipartite matching by augmenting paths. Where none exists, the classes that the last search
 * reached compete for too few identities (Hall's theorem), and are named.
 */
final class IdentityMatching {

  /**
   * Why no assignment exists.
   *
   * @param classes the classes that compete
   * @param needed how many identities they need together
   * @param there how many they have together
   */
  record Shortfall(SortedSet<String> classes, int needed, int there) {}

  private final Function<String, ? extends Collection<PrincipalRef>> available;
  private final Map<PrincipalRef, String> servedClass = new HashMap<>();

  private IdentityMatching(Function<String, ? extends Collection<PrincipalRef>> available) {
    this.available = available;
  }

  /** Empty if the demand can be met from the identities that {@code available} has per class. */
  static Optional<Shortfall> shortfall(
      Demand demand, Function<String, ? extends Collection<PrincipalRef>> available) {
    IdentityMatching matching = new IdentityMatching(available);
    for (Map.Entry<String, Integer> entry : demand.counts().entrySet()) {
      for (int i = 0; i < entry.getValue(); i++) {
        Set<PrincipalRef> seen = new HashSet<>();
        if (!matching.augment(entry.getKey(), seen)) {
          return Optional.of(matching.reached(entry.getKey(), seen, demand));
        }
      }
    }
    return Optional.empty();
  }

  private boolean augment(String witnessClass, Set<PrincipalRef> seen) {
    for (PrincipalRef identity : available.apply(witnessClass)) {
      if (seen.add(identity)) {
        @Nullable String serves = servedClass.get(identity);
        if (serves == null || (!serves.equals(witnessClass) && augment(serves, seen))) {
          servedClass.put(identity, witnessClass);
          return true;
        }
      }
    }
    return false;
  }

  private Shortfall reached(String start, Set<PrincipalRef> seen, Demand demand) {
    TreeSet<String> classes = new TreeSet<>(Set.of(start));
    for (PrincipalRef identity : seen) {
      String serves = servedClass.get(identity);
      if (serves != null) {
        classes.add(serves);
      }
    }
    int needed = classes.stream().mapToInt(c -> demand.counts().getOrDefault(c, 0)).sum();
    return new Shortfall(classes, needed, seen.size());
  }
}
