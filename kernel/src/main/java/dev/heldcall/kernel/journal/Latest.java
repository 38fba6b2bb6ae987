package dev.heldcall.kernel.journal;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was last noted of some keys: beyond the bound the eldest is forgotten.
 *
 * @param <V> what is noted
 */
final class Latest<V> {

  private final int bound;
  private final Map<String, V> entries = new LinkedHashMap<>();

  Latest(int bound) {
    this.bound = bound;
  }

  synchronized void put(String key, V value) {
    entries.remove(key);
    entries.put(key, value);
    if (entries.size() > bound) {
      entries.remove(entries.keySet().iterator().next());
    }
  }

  synchronized @Nullable V remove(String key) {
    return entries.remove(key);
  }

  synchronized boolean contains(String key) {
    return entries.containsKey(key);
  }

  synchronized boolean isEmpty() {
    return entries.isEmpty();
  }
}
