package dev.heldcall.gateway.boot;

import dev.heldcall.gateway.cli.BankCommand;
import dev.heldcall.gateway.cli.BenchCommand;
import dev.heldcall.gateway.cli.DemoCommand;
import dev.heldcall.gateway.cli.NodeCommand;
import dev.heldcall.gateway.cli.UpCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The {@code heldcall} command. Exit codes: 0 for success, 1 for a failure, 2 for wrong use; errors
 * are one line on standard error.
 */
@Command(
    name = "heldcall",
    mixinStandardHelpOptions = true,
    version = "heldcall 0.1.0",
    description = "Turns an agent's proposed tool call into a durable, witnessed resource.",
    subcommands = {
      UpCommand.class,
      NodeCommand.class,
      DemoCommand.class,
      BenchCommand.class,
      BankCommand.class
    })
public final class Main implements Runnable {

  @Spec private @org.jspecify.annotations.Nullable CommandSpec spec;

  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setExecutionExceptionHandler(
            (failure, command, _) -> {
              String words = failure.getMessage();
              command
                  .getErr()
                  .println("heldcall: " + (words == null ? failure.toString() : oneLine(words)));
              return CommandLine.ExitCode.SOFTWARE;
            });
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  @Override
  public void run() {
    if (spec != null) {
      throw new ParameterException(spec.commandLine(), "a command is needed");
    }
  }
}
