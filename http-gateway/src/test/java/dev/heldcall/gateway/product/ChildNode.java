package dev.heldcall.gateway.product;

import dev.heldcall.gateway.boot.Main;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A node as a process of its own, to be killed. */
final class ChildNode implements AutoCloseable {

  private static final String READY = "Heldcall is ready on ";

  private final Process process;
  private final URI uri;

  private ChildNode(Process process, URI uri) {
    this.process = process;
    this.uri = uri;
  }

  /** Starts a node with the same files and environment, and waits until it is ready. */
  static ChildNode of(ProductNode node) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx400m");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.add("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.add("node");
    for (Path file : node.files("")) {
      command.addAll(List.of("--config", file.toString()));
    }
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(node.environment());
    Path log = node.folder().resolve("child.log");
    Process process = builder.redirectError(log.toFile()).start();
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith(READY)) {
        return new ChildNode(process, URI.create(line.substring(READY.length()).strip()));
      }
    }
    throw new IOException(
        "the node ended before it was ready; it said: " + java.nio.file.Files.readString(log));
  }

  URI uri() {
    return uri;
  }

  /** As {@code kill -9}, and waits until it is gone. */
  void kill() throws InterruptedException {
    var _ = process.destroyForcibly();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the node does not die");
    }
  }

  @Override
  public void close() {
    var _ = process.destroyForcibly();
  }
}
