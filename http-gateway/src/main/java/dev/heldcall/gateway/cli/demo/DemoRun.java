package dev.heldcall.gateway.cli.demo;

import dev.heldcall.gateway.cli.bank.Bank;
import dev.heldcall.gateway.cli.process.NodeProcess;
import dev.heldcall.gateway.cli.process.ScratchFolder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One run of the demo: opens the bank, the node and their folder, and leaves none of them behind.
 */
public final class DemoRun {

  private DemoRun() {}

  /**
   * Tells the story.
   *
   * @param terminal where
   * @return whether all of it held; if not, the folder with the node's log is kept and named
   * @throws IOException if the temporary folder or the bank's port cannot be had
   */
  public static boolean run(DemoTerminal terminal) throws IOException {
    Path directory = ScratchFolder.create("heldcall-demo");
    // The bank's address is in the node's configuration, so the bank is there first and learns the
    // node's when it needs its keys.
    AtomicReference<@Nullable NodeProcess> started = new AtomicReference<>();
    try (Bank bank = Bank.open(0, () -> address(started.get()))) {
      Path config = directory.resolve("demo.conf");
      Files.writeString(config, DemoConfiguration.text(bank.uri()));
      try (NodeProcess node = NodeProcess.in(directory, config, name -> false)) {
        started.set(node);
        new DemoStory(terminal, node, bank).tell();
      } catch (DemoFailure failure) {
        terminal.failed(failure);
        terminal.note("the node's log is " + directory.resolve("node.log"));
        return false;
      } catch (NodeProcess.NotReadyException failure) {
        terminal.failed(new DemoFailure("the node starts", "it is ready", failure.toString()));
        return false;
      }
    }
    ScratchFolder.delete(directory);
    return true;
  }

  private static URI address(@Nullable NodeProcess node) {
    if (node == null) {
      throw new IllegalStateException("no permit can come before the node is there");
    }
    return node.uri();
  }
}
