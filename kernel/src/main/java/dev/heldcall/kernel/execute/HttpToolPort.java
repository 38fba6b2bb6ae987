package dev.heldcall.kernel.execute;

import dev.heldcall.config.EffectSettings;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.plugin.api.ToolEntry;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.net.ssl.SSLContext;
import org.apache.pekko.actor.typed.ActorSystem;

/** Tools that listen on HTTP. */
public final class HttpToolPort implements ToolPort {

  private final HttpDispatch dispatch;
  private final HttpReadBack readBack;
  private final Duration dispatchWindow;

  /**
   * A port of the given parts.
   *
   * @param dispatchWindow how long after a lease's write its first byte may leave
   */
  public HttpToolPort(HttpDispatch dispatch, HttpReadBack readBack, Duration dispatchWindow) {
    this.dispatch = dispatch;
    this.readBack = readBack;
    this.dispatchWindow = dispatchWindow;
  }

  /** A port as configured, on this process's monotonic clock. */
  public static HttpToolPort of(
      ActorSystem<?> system, SSLContext tls, EffectSettings settings, Clock clock) {
    ToolClient client =
        new ToolClient(system, tls, settings.maxAnswerBytes(), settings.maxConnections());
    return new HttpToolPort(
        new HttpDispatch(client, clock, System::nanoTime, settings.connectTimeout()),
        new HttpReadBack(client, settings.readBackTimeout()),
        settings.dispatchWindow());
  }

  @Override
  public CompletionStage<DispatchReport> dispatch(DispatchOrder order) {
    ToolEntry tool = order.tool();
    if (tool == null) {
      return CompletableFuture.completedStage(
          new DispatchReport.NoEffect("not sent: the tool is not in the registry"));
    }
    return dispatch.send(
        tool,
        order.lease(),
        order.generation(),
        order.permit().get(),
        order.persistedNanos(),
        dispatchWindow);
  }

  @Override
  public CompletionStage<ReadBackReport> readBack(DispatchOrder order) {
    ToolEntry tool = order.tool();
    return tool == null
        ? CompletableFuture.completedStage(
            new ReadBackReport.CannotTell("the tool is not in the registry"))
        : readBack.ask(tool, order.lease());
  }
}
