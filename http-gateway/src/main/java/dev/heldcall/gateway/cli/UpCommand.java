package dev.heldcall.gateway.cli;

import dev.heldcall.config.Overrides;
import dev.heldcall.config.SettingsReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code heldcall up}: one node on the embedded database, for a developer's own machine. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = "One node on the embedded database, with the dev profile.")
public final class UpCommand implements Callable<Integer> {

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Listen on this port instead of 8080; 0 takes any free one.")
  private @Nullable Integer port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Keep the database here instead of in ./data.")
  private @Nullable Path data;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      arity = "1..*",
      description = "A HOCON file over the profile; later files win.")
  private List<Path> files = new ArrayList<>();

  @Override
  public Integer call() {
    return NodeRunner.run(files, new Overrides(port, data), SettingsReader.DEV);
  }
}
