package dev.heldcall.gateway.cli;

import dev.heldcall.config.HeldcallSettings;
import dev.heldcall.config.HttpSettings;
import dev.heldcall.config.Overrides;
import dev.heldcall.config.SettingsException;
import dev.heldcall.config.SettingsReader;
import dev.heldcall.gateway.server.GatewayServer;
import dev.heldcall.gateway.server.GatewaySettings;
import dev.heldcall.kernel.api.Kernel;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs one node in this process, from its configuration to its end by a signal. Standard output has
 * one line, when the node is ready; what goes wrong is said on standard error, one line a problem.
 */
final class NodeRunner {

  private static final int FAILED = 1;
  private static final long STOP_SECONDS = 30;
  private static final long ABANDON_SECONDS = 5;

  private NodeRunner() {}

  /**
   * Runs until the process is told to end; then the process ends with 0. Returns only if the node
   * could not be started.
   *
   * @param files the configuration files, later ones win
   * @param overrides what the command line says
   * @param profile the profile if nothing names one
   * @return the exit code
   */
  static int run(List<Path> files, Overrides overrides, String profile) {
    HeldcallSettings settings;
    try {
      settings = SettingsReader.load(files, System.getenv(), overrides, profile);
    } catch (SettingsException e) {
      String.valueOf(e.getMessage()).lines().forEach(NodeRunner::complain);
      return FAILED;
    }
    Optional<String> taken = taken(settings.http());
    if (taken.isPresent()) {
      complain(taken.get());
      return FAILED;
    }
    return start(settings);
  }

  private static int start(HeldcallSettings settings) {
    // Standard output has one line, that the node is ready; whatever a library prints goes
    // elsewhere.
    PrintStream out = System.out;
    System.setOut(System.err);
    Kernel kernel = null;
    try {
      kernel = Kernel.start(settings).toCompletableFuture().get();
      GatewayServer server =
          GatewayServer.start(
                  kernel.system(), kernel.calls(), settings.auth(), GatewaySettings.of(settings))
              .toCompletableFuture()
              .get();
      AtomicBoolean ending = new AtomicBoolean();
      endOnSignal(kernel, ending);
      out.println("Heldcall is ready on " + url(settings.http().host(), server.address()));
      out.flush();
      var _ = kernel.ended().toCompletableFuture().get();
      if (!ending.compareAndSet(false, true)) {
        // Ended by a signal: the hook has the last word.
        new CountDownLatch(1).await();
      }
      return abandon(kernel, "the cluster has put this node out; start it again to join anew");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return abandon(kernel, "interrupted");
    } catch (ExecutionException | RuntimeException e) {
      return abandon(kernel, words(e, settings.http()));
    }
  }

  /** Before anything is opened: the usual mistake is told at once. */
  private static Optional<String> taken(HttpSettings http) {
    if (http.port() == 0) {
      return Optional.empty();
    }
    try (ServerSocket probe = new ServerSocket()) {
      probe.setReuseAddress(true);
      probe.bind(new InetSocketAddress(http.host(), http.port()));
      return Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      return Optional.of(cannotListen(http, e));
    }
  }

  private static String cannotListen(HttpSettings http, Throwable why) {
    return "cannot listen on " + http.host() + ":" + http.port() + ": " + why.getMessage();
  }

  /** SIGTERM and SIGINT end the process well: everything is closed, and the exit code is 0. */
  private static void endOnSignal(Kernel kernel, AtomicBoolean ending) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  if (!ending.compareAndSet(false, true)) {
                    return;
                  }
                  int code = stop(kernel, STOP_SECONDS) ? 0 : FAILED;
                  System.err.flush();
                  Runtime.getRuntime().halt(code);
                },
                "heldcall-end"));
  }

  private static boolean stop(Kernel kernel, long seconds) {
    try {
      var _ = kernel.stop().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
      return true;
    } catch (ExecutionException | TimeoutException e) {
      complain("the end was not clean: " + rootOf(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private static int abandon(@Nullable Kernel kernel, String why) {
    complain(why);
    if (kernel != null) {
      stop(kernel, ABANDON_SECONDS);
    }
    return FAILED;
  }

  private static String words(Throwable failure, HttpSettings http) {
    Throwable root = rootOf(failure);
    if (root instanceof BindException) {
      return cannotListen(http, root);
    }
    Throwable cause = failure;
    while ((cause instanceof ExecutionException || cause instanceof CompletionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String words = cause.getMessage();
    return words == null || words.isBlank() ? cause.toString() : words;
  }

  private static Throwable rootOf(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private static String url(String host, InetSocketAddress address) {
    String shown = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    return "http://" + shown + ":" + address.getPort();
  }

  private static void complain(String line) {
    System.err.println("heldcall: " + line.strip().replaceAll("\\s*\\R\\s*", " "));
  }
}
