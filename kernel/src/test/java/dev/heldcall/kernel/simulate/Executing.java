package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.execute.DispatchWindows;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.lease.LeaseRules;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The executor and the sender of one dispatch, as {@code ExecutorActor} and {@code HttpDispatch}
 * are: it sends only while the real dispatch window is open, gives up at the deadline, and reports
 * once. Stopping it does not call back what is on its way.
 */
final class Executing implements CallWork.Child {

  private static final long GRACE_MILLIS = 500;

  private final Simulation world;
  private final Node node;
  private final CallShell shell;
  private final Lease lease;
  private final String tool;
  private final Supplier<@Nullable String> objection;
  private boolean reported;

  Executing(
      Simulation world, Node node, CallShell shell, Lease lease, String tool, long persistedNanos) {
    this.world = world;
    this.node = node;
    this.shell = shell;
    this.lease = lease;
    this.tool = tool;
    this.objection =
        DispatchWindows.objection(
            persistedNanos, LeaseRules.Terms.DEFAULT.dispatchWindow(), node::nanos);
    Instant from = world.planted(Plant.WINDOW_FROM_NOW) ? lease.grantedAt() : node.clock();
    long left = Math.max(0, Duration.between(from, lease.deadline()).toMillis());
    after(
        left + GRACE_MILLIS, () -> report(new DispatchReport.Unknown("no answer by the deadline")));
    begin(left);
  }

  private void begin(long left) {
    String why = objection.get();
    if (why == null && left <= 0) {
      why = "the lease's deadline has passed";
    }
    if (why != null) {
      DispatchReport notSent = new DispatchReport.NoEffect("not sent: " + why);
      after(0, () -> report(notSent));
    } else if (world.faults().strikes(Fault.TOOL_REFUSES_CONNECTION)) {
      after(1, () -> report(new DispatchReport.NoEffect("not sent: connection refused")));
    } else {
      after(1 + world.random().nextInt(10), () -> send(left));
    }
  }

  private void send(long left) {
    String why = objection.get();
    if (why != null) {
      report(new DispatchReport.NoEffect("not sent: " + why));
      return;
    }
    world.trace().note(node.name(), "sends", () -> Tell.lease(world, lease));
    DispatchReport timedOut =
        world.planted(Plant.BLIND_RETRY)
            ? new DispatchReport.NoEffect("no answer")
            : new DispatchReport.Unknown("no answer in time");
    after(left, () -> report(timedOut));
    world.tools().request(lease, tool, answer -> after(0, () -> report(answer)));
  }

  private void report(DispatchReport report) {
    if (!reported) {
      reported = true;
      shell.receive(new CallMessage.Dispatched(lease.leaseId(), report));
    }
  }

  @Override
  public void stop(boolean heard) {
    if (heard) {
      report(new DispatchReport.Unknown("the executor was stopped before it knew"));
    }
    reported = true;
  }

  private void after(long millis, Runnable what) {
    world.timeline().after(millis, node, what);
  }
}
