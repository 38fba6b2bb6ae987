package dev.heldcall.gateway.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** What processes on this machine cost, as the operating system counts it. */
final class ProcessCosts {

  private ProcessCosts() {}

  /** CPU time of a process since its start. */
  static Duration cpu(long pid) {
    return ProcessHandle.of(pid).flatMap(it -> it.info().totalCpuDuration()).orElse(Duration.ZERO);
  }

  /** CPU time of all PostgreSQL processes of this machine; zero if the database is elsewhere. */
  static Duration databaseCpu() {
    return ProcessHandle.allProcesses()
        .filter(each -> each.info().command().filter(it -> it.endsWith("postgres")).isPresent())
        .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
        .reduce(Duration.ZERO, Duration::plus);
  }

  /** Resident memory of a process in bytes; 0 where the system does not tell. */
  static long residentBytes(long pid) throws IOException {
    Path status = Path.of("/proc", String.valueOf(pid), "status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(status)) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
          .findFirst()
          .orElse(0);
    }
  }

  /** Bytes of all files under a folder. */
  static long diskBytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /**
   * Live heap bytes of a JVM after a full collection, asked with the JDK's {@code jcmd}; 0 if it
   * cannot be.
   */
  static long liveHeapBytes(long pid) throws IOException, InterruptedException {
    jcmd(pid, "GC.run");
    String info = jcmd(pid, "GC.heap_info");
    java.util.regex.Matcher used = java.util.regex.Pattern.compile("used (\\d+)K").matcher(info);
    return used.find() ? Long.parseLong(used.group(1)) * 1024 : 0;
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    if (!Files.isExecutable(jcmd)) {
      return "";
    }
    Process process =
        new ProcessBuilder(jcmd.toString(), String.valueOf(pid), command)
            .redirectErrorStream(true)
            .start();
    String out =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    process.waitFor();
    return out;
  }
}
