package dev.heldcall.kernel.execute;

import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.ReadBackReport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Chooses the port by the lease's executor.
 *
 * @param http for tools that listen on HTTP
 * @param kernel for the kernel's own tools and for gates
 */
public record ToolPorts(ToolPort http, ToolPort kernel) implements ToolPort {

  @Override
  public CompletionStage<DispatchReport> dispatch(DispatchOrder order) {
    return switch (order.lease().executor()) {
      case HTTP -> http.dispatch(order);
      case KERNEL -> kernel.dispatch(order);
      case CLIENT, MCP ->
          CompletableFuture.completedStage(
              new DispatchReport.NoEffect("not sent: the kernel does not run this tool"));
    };
  }

  @Override
  public CompletionStage<ReadBackReport> readBack(DispatchOrder order) {
    return switch (order.lease().executor()) {
      case KERNEL -> kernel.readBack(order);
      case HTTP, CLIENT, MCP -> http.readBack(order);
    };
  }
}
