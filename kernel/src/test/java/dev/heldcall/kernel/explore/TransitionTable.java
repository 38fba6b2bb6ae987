package dev.heldcall.kernel.explore;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/** Reads the declared transitions: a row a line, comments after {@code #}. */
final class TransitionTable {

  private TransitionTable() {}

  static Set<String> read() {
    try (InputStream in = TransitionTable.class.getResourceAsStream("transitions.txt")) {
      if (in == null) {
        throw new IllegalStateException("transitions.txt is missing");
      }
      Set<String> rows = new TreeSet<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
        String row = line.replaceFirst("#.*", "").strip().replaceAll(" +", " ");
        if (!row.isEmpty()) {
          rows.add(row);
        }
      }
      return rows;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
