package dev.heldcall.gateway.cli;

import dev.heldcall.gateway.cli.demo.DemoRun;
import dev.heldcall.gateway.cli.demo.DemoTerminal;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code heldcall demo}: exit 0 only if every claim of the story held. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = "The money_transfer story against a live node and a small bank of its own.")
public final class DemoCommand implements Callable<Integer> {

  @Override
  public Integer call() throws IOException {
    return DemoRun.run(DemoTerminal.standard(System.getenv())) ? 0 : 1;
  }
}
