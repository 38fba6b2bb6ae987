package dev.heldcall.kernel.execute;

import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.http.javadsl.Http;
import org.apache.pekko.http.javadsl.model.HttpRequest;
import org.apache.pekko.http.javadsl.model.HttpResponse;
import org.apache.pekko.http.javadsl.model.MediaType;
import org.apache.pekko.http.javadsl.model.Uri;
import org.apache.pekko.http.javadsl.model.headers.Host;
import org.apache.pekko.http.javadsl.settings.ClientConnectionSettings;
import org.apache.pekko.stream.Attributes;
import org.apache.pekko.stream.KillSwitches;
import org.apache.pekko.stream.SharedKillSwitch;
import org.apache.pekko.stream.TLSClosing;
import org.apache.pekko.stream.TLSProtocol;
import org.apache.pekko.stream.javadsl.BidiFlow;
import org.apache.pekko.stream.javadsl.Flow;
import org.apache.pekko.stream.javadsl.Keep;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.apache.pekko.stream.javadsl.TLSPlacebo;
import org.apache.pekko.stream.javadsl.Tcp;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Sends one HTTP/1.1 request on one fresh TCP connection, and never a second one.
 *
 * <p>Why no pool: a pooled connection that the other side just closed makes "closed before the
 * request" and "closed after the effect" look the same, and pools retry. Here the request is handed
 * to the connection only once that is open, and over TLS only once the handshake is done; the first
 * byte then passes a {@link SendGate}. A failure before that byte is proof of no effect; any
 * failure after it, up to the end of an answer's head, is {@link Exchange.Broken}.
 *
 * <p>Interim answers (1xx) are passed over, redirects are not followed, and reasons are in the
 * kernel's own words: nothing that a tool sent gets into them, nor into a log.
 */
public final class ToolClient {

  private static final String SETTINGS =
      """
      pekko.http.client {
        user-agent-header = "heldcall"
        idle-timeout = infinite
        parsing {
          max-header-count = 64
          max-header-value-length = 8k
          max-content-length = infinite
          illegal-header-warnings = off
          error-logging-verbosity = off
          modeled-header-parsing = off
        }
      }
      """;

  /** The layers' own log lines of a failure quote what the tool sent. */
  private static final Attributes QUIET =
      Attributes.createLogLevels(
          Attributes.logLevelOff(), Attributes.logLevelOff(), Attributes.logLevelOff());

  private static final String TOO_LATE = "no answer in time";

  private final ActorSystem<?> system;
  private final SSLContext tls;
  private final long maxAnswerBytes;
  private final ClientConnectionSettings settings = ClientConnectionSettings.create(SETTINGS);

  /** The HTTP layer's blueprint for each host of the registry; dear to make, run many times. */
  private final ConcurrentMap<
          Host,
          BidiFlow<
              HttpRequest,
              TLSProtocol.SslTlsOutbound,
              TLSProtocol.SslTlsInbound,
              HttpResponse,
              NotUsed>>
      layers = new ConcurrentHashMap<>();

  /**
   * A client.
   *
   * @param system runs the streams and the timers
   * @param tls whom to trust; host names are always checked
   * @param maxAnswerBytes how much of an answer's body is kept, 1 or more
   */
  public ToolClient(ActorSystem<?> system, SSLContext tls, long maxAnswerBytes) {
    this.system = system;
    this.tls = tls;
    this.maxAnswerBytes = maxAnswerBytes;
  }

  /**
   * The bounds of one exchange.
   *
   * @param toSend until the first byte has left; over it, the request is not sent
   * @param whole until the answer's end, 1 ms or more
   */
  record Bounds(Duration toSend, Duration whole) {}

  /**
   * The address of a tool.
   *
   * @throws IllegalArgumentException if it is no absolute http or https URL with a host; the
   *     message does not repeat it
   */
  static Uri uri(@Nullable String url) {
    try {
      Uri uri = Uri.create(String.valueOf(url));
      String scheme = uri.getScheme();
      if ((scheme.equals("http") || scheme.equals("https")) && !uri.host().address().isEmpty()) {
        return uri;
      }
    } catch (RuntimeException e) {
      throw new IllegalArgumentException("the tool's url cannot be used", e);
    }
    throw new IllegalArgumentException("the tool's url is no absolute http or https URL");
  }

  /**
   * Makes one exchange. The stage never fails.
   *
   * @param target the tool's address, as {@link #uri} gives it
   * @param request the request without an address
   * @param objection asked right before the first byte leaves: why it must not, or null
   */
  CompletionStage<Exchange> exchange(
      Uri target, HttpRequest request, Bounds bounds, Supplier<@Nullable String> objection) {
    SendGate gate = new SendGate(objection);
    SharedKillSwitch cut = KillSwitches.shared("tool-exchange");
    try {
      HttpRequest addressed = request.withUri(target.toRelative());
      CompletableFuture<HttpRequest> open = new CompletableFuture<>();
      AtomicReference<@Nullable CompletionStage<Exchange>> answer = new AtomicReference<>();
      CompletionStage<Optional<Exchange>> done =
          Source.completionStage(open)
              .concat(Source.maybe())
              .via(connection(target, bounds, gate, cut, () -> open.complete(addressed)))
              .mapAsync(
                  1,
                  response -> {
                    CompletionStage<Exchange> received = received(response);
                    answer.set(received);
                    return received;
                  })
              .runWith(Sink.headOption(), system);
      return bounded(done, answer::get, bounds, gate, cut);
    } catch (RuntimeException e) {
      cut.shutdown();
      String reason = "no request could be made of it: " + e.getClass().getSimpleName();
      return CompletableFuture.completedStage(ended(gate, reason));
    }
  }

  /**
   * Ends the exchange when its stream does. Once an answer's head is there, the body's own end is
   * what counts: the stream may fail before it with the same cause. The switch then closes the
   * connection, which a tool that would keep it open does not.
   */
  private CompletionStage<Exchange> bounded(
      CompletionStage<Optional<Exchange>> done,
      Supplier<@Nullable CompletionStage<Exchange>> answer,
      Bounds bounds,
      SendGate gate,
      SharedKillSwitch cut) {
    Cancellable send =
        after(
            bounds.toSend(),
            () -> {
              String reason = gate.close("not connected in time");
              if (reason != null) {
                cut.abort(new SendGate.NotSentException(reason));
              }
            });
    Cancellable whole = after(bounds.whole(), () -> cut.abort(new TimeoutException(TOO_LATE)));
    return done.handle(
            (first, failure) -> {
              CompletionStage<Exchange> received = answer.get();
              String reason = failure == null ? "the connection was closed" : reason(failure);
              return received != null
                  ? received
                  : CompletableFuture.completedStage(ended(gate, reason));
            })
        .thenCompose(received -> received)
        .whenComplete(
            (exchange, failure) -> {
              send.cancel();
              whole.cancel();
              cut.shutdown();
            });
  }

  private static Exchange ended(SendGate gate, String reason) {
    String unsent = gate.close(reason);
    return unsent != null ? new Exchange.NotSent(unsent) : new Exchange.Broken(reason);
  }

  private Cancellable after(Duration delay, Runnable action) {
    return system.scheduler().scheduleOnce(delay, action, system.executionContext());
  }

  /** The HTTP layer over a connection of its own, every byte under the gate and the switch. */
  private Flow<HttpRequest, HttpResponse, NotUsed> connection(
      Uri uri, Bounds bounds, SendGate gate, SharedKillSwitch cut, Runnable opened) {
    boolean secure = uri.getScheme().equals("https");
    String host = uri.host().address();
    int standardPort = secure ? 443 : 80;
    int port = uri.getPort() > 0 ? uri.getPort() : standardPort;
    Flow<ByteString, ByteString, CompletionStage<Tcp.OutgoingConnection>> wire =
        secure
            ? secureWire(host, port, bounds.toSend(), opened)
            : plainWire(host, port, bounds.toSend(), opened);
    Flow<ByteString, ByteString, CompletionStage<Tcp.OutgoingConnection>> guarded =
        Flow.of(ByteString.class)
            .via(cut.flow())
            .map(gate::pass)
            .viaMat(wire, Keep.right())
            .via(cut.flow());
    Host header = port == standardPort ? Host.create(host) : Host.create(host, port);
    Flow<TLSProtocol.SslTlsOutbound, TLSProtocol.SslTlsInbound, NotUsed> layered =
        Flow.upcast(TLSPlacebo.getInstance().join(guarded));
    return layers
        .computeIfAbsent(header, each -> Http.get(system).clientLayer(each, settings))
        .join(layered)
        .addAttributes(QUIET);
  }

  private Flow<ByteString, ByteString, CompletionStage<Tcp.OutgoingConnection>> plainWire(
      String host, int port, Duration timeout, Runnable opened) {
    return Tcp.get(system)
        .outgoingConnection(
            InetSocketAddress.createUnresolved(host, port),
            Optional.empty(),
            List.of(),
            true,
            Optional.of(timeout),
            Optional.empty())
        .mapMaterializedValue(
            connecting ->
                connecting.thenApply(
                    connected -> {
                      opened.run();
                      return connected;
                    }));
  }

  private Flow<ByteString, ByteString, CompletionStage<Tcp.OutgoingConnection>> secureWire(
      String host, int port, Duration timeout, Runnable opened) {
    return Tcp.get(system)
        .outgoingConnectionWithTls(
            InetSocketAddress.createUnresolved(host, port),
            () -> engine(host, port),
            Optional.empty(),
            List.of(),
            Optional.of(timeout),
            Optional.empty(),
            session -> {
              opened.run();
              return Optional.empty();
            },
            TLSClosing.eagerClose());
  }

  private SSLEngine engine(String host, int port) {
    SSLEngine engine = tls.createSSLEngine(host, port);
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** From here on there is an answer, however its body ends. */
  private CompletionStage<Exchange> received(HttpResponse response) {
    ReceivedBody.Intake intake = new ReceivedBody.Intake(maxAnswerBytes);
    MediaType type = response.entity().getContentType().mediaType();
    boolean json = type.subType().equals("json") || type.subType().endsWith("+json");
    return response
        .entity()
        .withoutSizeLimit()
        .getDataBytes()
        .runForeach(bytes -> intake.take(bytes.toArrayUnsafe()), system)
        .handle(
            (done, failure) ->
                new Exchange.Answer(
                    response.status().intValue(), json, intake.end(failure == null)));
  }

  private static String reason(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      switch (each) {
        case SendGate.NotSentException notSent -> {
          return String.valueOf(notSent.getMessage());
        }
        case TimeoutException late -> {
          return TOO_LATE;
        }
        case UnknownHostException unknown -> {
          return "the host name is not known";
        }
        case ConnectException refused -> {
          return "the connection was refused";
        }
        case SSLException broken -> {
          return "the TLS connection failed";
        }
        default -> {}
      }
    }
    Throwable top =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return "the connection failed: " + top.getClass().getSimpleName();
  }
}
