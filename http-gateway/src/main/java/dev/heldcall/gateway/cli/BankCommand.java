package dev.heldcall.gateway.cli;

import dev.heldcall.gateway.cli.bank.Bank;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code heldcall bank}: the demo's bank by itself, behind a node that somebody tries by hand. */
@Command(
    name = "bank",
    mixinStandardHelpOptions = true,
    hidden = true,
    description = "The demo's bank by itself, as a tool server behind a node.")
public final class BankCommand implements Callable<Integer> {

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Listen on this port of 127.0.0.1 (${DEFAULT-VALUE}).")
  private int port = 9090;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "The node whose permits are good (${DEFAULT-VALUE}).")
  private URI server = URI.create("http://127.0.0.1:8080");

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (Bank bank = Bank.open(port, () -> server)) {
      System.out.println("The bank is open on " + bank.uri());
      new CountDownLatch(1).await();
      return 0;
    } catch (BindException e) {
      System.err.println("heldcall: port " + port + " is taken; choose another with --port");
      return 1;
    }
  }
}
