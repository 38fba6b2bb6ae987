package dev.heldcall.kernel.execute;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.pekko.actor.Cancellable;
import org.jspecify.annotations.Nullable;

/**
 * One exchange on a socket of its own. It blocks the thread that runs it; what bounds it is a timer
 * that closes the socket under it, because a tool that drips bytes keeps every single read short.
 * The timer first closes the gate when the time to send is over, and only if the request had passed
 * by then waits on for the end of the whole.
 */
final class ExchangeRun implements Runnable {

  private static final String TOO_LATE = "no answer in time";
  private static final String NO_HTTP = "the answer is no HTTP that can be read";
  private static final String NOT_CONNECTED = "not connected in time";

  private final ToolClient client;
  private final ToolAddress address;
  private final byte[] request;
  private final ToolClient.Bounds bounds;
  private final SendGate gate;
  private final long startNanos = System.nanoTime();
  private final CompletableFuture<Exchange> outcome = new CompletableFuture<>();

  /** Beneath TLS, so that closing it waits for nobody. */
  private final Socket socket = new Socket();

  private volatile boolean late;

  ExchangeRun(
      ToolClient client,
      ToolAddress address,
      byte[] request,
      ToolClient.Bounds bounds,
      SendGate gate) {
    this.client = client;
    this.address = address;
    this.request = request;
    this.bounds = bounds;
    this.gate = gate;
  }

  /** Completes once, and never fails. */
  CompletionStage<Exchange> outcome() {
    return outcome;
  }

  @Override
  public void run() {
    Exchange exchange;
    client.started(this);
    try {
      exchange = bounded();
    } catch (Throwable e) {
      // an error too: whoever waits must hear of it
      exchange = ended(reason(e));
    } finally {
      client.ended(this);
    }
    outcome.complete(exchange);
  }

  /** The actor system ended. */
  void stop() {
    gate.close("the node stops");
    close(socket);
  }

  private Exchange bounded() throws Exception {
    if (!client.connections().tryAcquire(left(toSend()).toNanos(), TimeUnit.NANOSECONDS)) {
      return ended("no connection became free in time");
    }
    try {
      Cancellable timer = client.after(left(toSend()), this::sendOrNever);
      try {
        return connected();
      } finally {
        close(socket);
        timer.cancel();
      }
    } finally {
      client.connections().release();
    }
  }

  private Exchange connected() throws Exception {
    InetAddress host = client.hosts().first(address.host(), left(toSend()));
    socket.setTcpNoDelay(true);
    socket.connect(new InetSocketAddress(host, address.port()));
    if (!address.secure()) {
      return exchanged(socket);
    }
    SSLSocket secured =
        (SSLSocket) client.tls().createSocket(socket, address.host(), address.port(), true);
    try {
      SSLParameters parameters = secured.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      secured.setSSLParameters(parameters);
      secured.startHandshake();
      return exchanged(secured);
    } finally {
      close(secured);
    }
  }

  private Exchange exchanged(Socket open) throws HttpException, IOException {
    gate.pass();
    try {
      open.getOutputStream().write(request);
    } catch (IOException e) {
      // the tool may have answered before it had it all
      try {
        return new AnswerReader(open.getInputStream()).read(client.maxAnswerBytes());
      } catch (HttpException | IOException none) {
        e.addSuppressed(none);
        throw e;
      }
    }
    return new AnswerReader(open.getInputStream()).read(client.maxAnswerBytes());
  }

  /** The time to send is over; what was sent has until the end of the whole. */
  private void sendOrNever() {
    if (gate.close(NOT_CONNECTED) != null) {
      close(socket);
    } else if (!outcome.isDone()) {
      try {
        client.after(left(bounds.whole()), this::cut);
      } catch (IllegalStateException e) {
        // no timer any more: the actor system ends, and this with it
        cut();
      }
    }
  }

  private void cut() {
    late = true;
    close(socket);
  }

  private static void close(Socket each) {
    try {
      each.close();
    } catch (IOException e) {
      // it is as closed as it can be
    }
  }

  private Exchange ended(String reason) {
    String unsent = gate.close(reason);
    return unsent != null ? new Exchange.NotSent(unsent) : new Exchange.Broken(reason);
  }

  private Duration toSend() {
    return bounds.toSend().compareTo(bounds.whole()) < 0 ? bounds.toSend() : bounds.whole();
  }

  private Duration left(Duration of) {
    Duration left = of.minusNanos(System.nanoTime() - startNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }

  private String reason(Throwable failure) {
    if (late) {
      return TOO_LATE;
    }
    for (Throwable each = failure; each != null; each = each.getCause()) {
      String known = known(each);
      if (known != null) {
        return known;
      }
    }
    return "the connection failed: " + failure.getClass().getSimpleName();
  }

  private static @Nullable String known(Throwable failure) {
    return switch (failure) {
      case SendGate.NotSentException notSent -> notSent.getMessage();
      case TimeoutException lookUp -> NOT_CONNECTED;
      case UnknownHostException unknown -> "the host name is not known";
      case RejectedExecutionException full -> "too many host names wait to be looked up";
      case ConnectException refused -> "the connection was refused";
      case SSLException broken -> "the TLS connection failed";
      case EOFException closed -> "the connection was closed";
      case HttpException other -> NO_HTTP;
      case MessageConstraintException large -> NO_HTTP;
      case InterruptedException interrupted -> "the exchange was interrupted";
      default -> null;
    };
  }
}
