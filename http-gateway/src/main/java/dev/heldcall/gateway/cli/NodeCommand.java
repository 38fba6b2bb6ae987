package dev.heldcall.gateway.cli;

import dev.heldcall.config.Overrides;
import dev.heldcall.config.SettingsReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code heldcall node}: a node of a cluster, with nothing but what is configured. */
@Command(
    name = "node",
    mixinStandardHelpOptions = true,
    description = "A cluster node for production, with the production profile.")
public final class NodeCommand implements Callable<Integer> {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      required = true,
      arity = "1..*",
      description = "A HOCON file over the profile; later files win.")
  private List<Path> files = new ArrayList<>();

  @Override
  public Integer call() {
    return NodeRunner.run(files, Overrides.none(), SettingsReader.PRODUCTION);
  }
}
