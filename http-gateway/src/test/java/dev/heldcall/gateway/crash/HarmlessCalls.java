package dev.heldcall.gateway.crash;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The list of calls that need no point; see {@code crash/harmless-calls.txt}. */
record HarmlessCalls(List<String> lines) {

  static HarmlessCalls load() {
    try (InputStream in = HarmlessCalls.class.getResourceAsStream("/crash/harmless-calls.txt")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      return new HarmlessCalls(
          text.lines().map(String::strip).filter(line -> !line.matches("|#.*")).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The calls that are not on the list, with where they are. */
  List<String> unknown(List<Scan.Other> calls) {
    return calls.stream()
        .filter(each -> lines.stream().noneMatch(line -> covers(line, each)))
        .map(each -> each.call() + " in " + each.where())
        .distinct()
        .toList();
  }

  /** The lines that no call is covered by. */
  List<String> dead(List<Scan.Other> calls) {
    return lines.stream()
        .filter(line -> calls.stream().noneMatch(each -> covers(line, each)))
        .toList();
  }

  private static boolean covers(String line, Scan.Other call) {
    String whole = line.contains(" in ") ? call.call() + " in " + call.where() : call.call();
    return line.endsWith("*")
        ? whole.startsWith(line.substring(0, line.length() - 1))
        : whole.equals(line);
  }
}
