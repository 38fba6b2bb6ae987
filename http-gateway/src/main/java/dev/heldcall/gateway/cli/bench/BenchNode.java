package dev.heldcall.gateway.cli.bench;

import dev.heldcall.gateway.cli.process.NodeProcess;
import dev.heldcall.gateway.cli.process.ScratchFolder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The node that is measured: {@code heldcall up} as shipped, with the demo's rules, in a folder of
 * its own or on the database of {@code HELDCALL_DB_URL}.
 */
final class BenchNode implements AutoCloseable {

  private final Path folder;
  private final NodeProcess process;

  private BenchNode(Path folder, NodeProcess process) {
    this.folder = folder;
    this.process = process;
  }

  /** A node that is not started yet, whose tool is at {@code tool}. */
  static BenchNode with(URI tool) throws IOException {
    Path folder = ScratchFolder.create("heldcall-bench");
    Path config = folder.resolve("bench.conf");
    Files.writeString(config, configuration(tool));
    NodeProcess process = NodeProcess.in(folder, config, name -> name.startsWith("HELDCALL_DB_"));
    return new BenchNode(folder, process);
  }

  /** Only the tool's address and the bounds on open calls differ from the demo's settings. */
  private static String configuration(URI tool) {
    return """
    heldcall.tools.money_transfer {
      executor = http
      url = "%s/transfers"
      capability = "payments.write"
      timeout = 10s
      schema {
        type = object
        required = [from, to, amount_minor, currency]
        additionalProperties = false
        properties {
          from { type = string }, to { type = string }, currency { type = string }
          amount_minor { type = integer, minimum = 1 }
        }
      }
    }
    heldcall.limits.max-open-calls-per-principal = 10000000
    """
        .formatted(tool);
  }

  void start() {
    process.start();
  }

  void stop() {
    process.stop();
  }

  URI uri() {
    return process.uri();
  }

  long pid() {
    return process.pid();
  }

  /** Whether the embedded database is measured. */
  static boolean embedded() {
    return System.getenv("HELDCALL_DB_URL") == null;
  }

  static String store() {
    return embedded() ? "embedded" : "HELDCALL_DB_URL";
  }

  Path data() {
    return folder.resolve("data");
  }

  /** Ends the node and deletes its folder. */
  @Override
  public void close() throws IOException {
    process.close();
    ScratchFolder.delete(folder);
  }
}
