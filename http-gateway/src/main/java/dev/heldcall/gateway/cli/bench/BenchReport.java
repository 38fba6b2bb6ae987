package dev.heldcall.gateway.cli.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** The figures as a table for people, and after it as one line of JSON for programs. */
final class BenchReport {

  private static final ObjectMapper JSON = new ObjectMapper();

  private BenchReport() {}

  static void print(PrintStream out, List<CycleBench.Run> runs) {
    out.printf(
        Locale.ROOT,
        "%n%9s %9s %9s %17s %17s %17s %14s %12s %8s%n",
        "in flight",
        "cycles",
        "cycles/s",
        "propose p50/p99",
        "approve→effect",
        "cycle p50/p99",
        "node CPU",
        "database",
        "writes");
    for (CycleBench.Run run : runs) {
      out.printf(
          Locale.ROOT,
          "%9d %9d %9.0f %17s %17s %17s %11.2f ms %9.2f ms %8d%n",
          run.inFlight(),
          run.cycles(),
          run.perSecond(),
          halves(run.propose()),
          halves(run.effect()),
          halves(run.whole()),
          run.nodeCpuMillis(),
          run.databaseCpuMillis(),
          run.journalWrites());
    }
    out.println("times in ms; CPU and journal writes a cycle");
    ObjectNode json = JSON.createObjectNode();
    json.put("benchmark", "cycle").put("store", BenchNode.store());
    var rows = json.putArray("runs");
    for (CycleBench.Run run : runs) {
      ObjectNode row = rows.addObject();
      row.put("in_flight", run.inFlight()).put("cycles", run.cycles());
      row.put("cycles_per_second", rounded(run.perSecond()));
      percentiles(row, "propose_ms", run.propose());
      percentiles(row, "approve_to_effect_ms", run.effect());
      percentiles(row, "cycle_ms", run.whole());
      row.put("node_cpu_ms", rounded(run.nodeCpuMillis()));
      row.put("database_cpu_ms", rounded(run.databaseCpuMillis()));
      row.put("journal_writes", run.journalWrites());
    }
    out.println(json);
  }

  static void print(PrintStream out, ParkBench.Found found) {
    out.printf(Locale.ROOT, "%n%-28s %d%n", "parked", found.parked());
    out.printf(Locale.ROOT, "%-28s %.0f%n", "parks a second", found.perSecond());
    out.printf(Locale.ROOT, "%-28s %.0f B%n", "live heap a call", found.heapBytes());
    out.printf(Locale.ROOT, "%-28s %.0f B%n", "resident memory a call", found.residentBytes());
    out.printf(Locale.ROOT, "%-28s %.0f B%n", "disk a call", found.diskBytes());
    out.printf(
        Locale.ROOT,
        "%-28s %.2f s (empty node: %.2f s)%n",
        "start to first effect",
        found.startToEffect().toMillis() / 1000.0,
        found.emptyStartToEffect().toMillis() / 1000.0);
    ObjectNode json = JSON.createObjectNode();
    json.put("benchmark", "park").put("store", BenchNode.store()).put("parked", found.parked());
    json.put("parks_per_second", rounded(found.perSecond()));
    json.put("heap_bytes_per_call", rounded(found.heapBytes()));
    json.put("resident_bytes_per_call", rounded(found.residentBytes()));
    json.put("disk_bytes_per_call", rounded(found.diskBytes()));
    json.put("start_to_effect_ms", found.startToEffect().toMillis());
    json.put("empty_start_to_effect_ms", found.emptyStartToEffect().toMillis());
    out.println(json);
  }

  private static String halves(Samples samples) {
    return String.format(
        Locale.ROOT, "%.1f / %.1f", samples.percentile(50), samples.percentile(99));
  }

  private static void percentiles(ObjectNode row, String name, Samples samples) {
    row.putObject(name).put("p50", samples.percentile(50)).put("p99", samples.percentile(99));
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
