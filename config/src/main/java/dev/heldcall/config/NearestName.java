package dev.heldcall.config;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Finds what a misspelt key was probably meant to be. */
final class NearestName {

  private NearestName() {}

  /** The known name within a third of its length in edits, or null if none is that near. */
  static @Nullable String of(String name, Collection<String> known) {
    String nearest = null;
    int least = Integer.MAX_VALUE;
    for (String candidate : known) {
      int edits = edits(name.replace('_', '-'), candidate);
      if (edits < least && edits < name.length() && edits <= Math.max(2, candidate.length() / 3)) {
        least = edits;
        nearest = candidate;
      }
    }
    return nearest;
  }

  private static int edits(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
