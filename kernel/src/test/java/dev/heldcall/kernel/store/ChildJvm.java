package dev.heldcall.kernel.store;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Another JVM with a main class of the tests, to be killed or closed. */
final class ChildJvm implements AutoCloseable {

  private final Process process;
  private final BufferedReader lines;

  private ChildJvm(Process process) {
    this.process = process;
    this.lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  static ChildJvm start(Class<?> main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ChildJvm(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Reads lines until this one. */
  void awaitLine(String wanted) throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.equals(wanted)) {
        return;
      }
    }
    throw new IOException("the other JVM ended before it said '" + wanted + "'");
  }

  /** The next whole line; null at the end. */
  @Nullable String readLine() throws IOException {
    return lines.readLine();
  }

  /** As {@code kill -9}. What it has said can still be read. */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly(); // the process's own method would close its output
    process.waitFor(10, TimeUnit.SECONDS);
  }

  /** As {@code kill}: SIGTERM. */
  int terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the other JVM did not end");
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
