package dev.heldcall.kernel.explore;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A bug to plant, a line of {@code mutations.txt}.
 *
 * @param guard the kind of guard that it is in
 * @param what what it amounts to, in words
 * @param where the method, or several, below {@code dev.heldcall.kernel}, with their lambdas
 * @param edit what is done to its byte code
 * @param scenario where the explorer finds it
 * @param found a part of what it then says
 */
record Mutation(String guard, String what, String where, Edit edit, String scenario, String found) {

  /** The methods of a class that it is in. */
  Set<String> methodsOf(String className) {
    Set<String> methods = new LinkedHashSet<>();
    for (String each : where.split(" \\+ ", -1)) {
      int dot = each.lastIndexOf('.');
      if (className.equals("dev.heldcall.kernel." + each.substring(0, dot))) {
        methods.add(each.substring(dot + 1));
      }
    }
    return methods;
  }

  /** All of the table. */
  static List<Mutation> all() {
    List<Mutation> all = new ArrayList<>();
    String guard = "";
    for (String line : lines()) {
      if (line.startsWith("## ")) {
        guard = line.substring(3);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        String[] columns = line.split(" ; ", -1);
        if (columns.length != 5) {
          throw new IllegalArgumentException("expected five columns: " + line);
        }
        all.add(
            new Mutation(
                guard,
                columns[0].strip(),
                columns[1].strip(),
                Edit.parse(columns[2].strip()),
                columns[3].strip(),
                columns[4].strip()));
      }
    }
    return List.copyOf(all);
  }

  private static List<String> lines() {
    try (InputStream in = Mutation.class.getResourceAsStream("mutations.txt")) {
      if (in == null) {
        throw new IllegalStateException("mutations.txt is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
