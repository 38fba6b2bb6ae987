package dev.heldcall.kernel.witness;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One way to make a rule true under distinct identities: how many identities of each class must
 * each serve this class alone. Leaves of one class are interchangeable, so their counts add up.
 *
 * @param counts per class, 1 or more
 */
record Demand(SortedMap<String, Integer> counts) {

  static Demand of(String witnessClass, int count) {
    return new Demand(new TreeMap<>(Map.of(witnessClass, count)));
  }

  /** What is needed for both. */
  Demand plus(Demand other) {
    TreeMap<String, Integer> sum = new TreeMap<>(counts);
    other.counts.forEach((witnessClass, count) -> sum.merge(witnessClass, count, Integer::sum));
    return new Demand(sum);
  }
}
