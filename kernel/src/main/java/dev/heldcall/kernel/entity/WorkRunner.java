package dev.heldcall.kernel.entity;

import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.deliver.DeliveryActor;
import dev.heldcall.kernel.execute.DispatchOrder;
import dev.heldcall.kernel.execute.ExecutorActor;
import dev.heldcall.kernel.execute.ReadBackActor;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.route.RouteReport;
import dev.heldcall.kernel.work.EnabledWork;
import dev.heldcall.kernel.work.WorkPlan;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the plan against what runs: starts what is planned and does not run yet, once a key, and
 * stops what is not planned any more. A dispatch is never stopped: what was sent was sent.
 */
final class WorkRunner {

  private static final Logger LOG = LoggerFactory.getLogger(WorkRunner.class);
  private static final Pattern NOT_IN_A_NAME = Pattern.compile("[^A-Za-z0-9_-]");
  private static final Duration LONG_AGO = Duration.ofDays(1);

  private final ActorContext<HeldCallProtocol.Message> context;
  private final HeldCallRuntime runtime;
  private final Reports reports;
  private final Map<String, ActorRef<?>> children = new HashMap<>();
  private final Set<String> watched = new HashSet<>();
  private final Map<String, Long> decided = new HashMap<>();
  private final WitnessRoutes routes;
  private long started;

  /**
   * Where children report.
   *
   * @param dispatch what came of a dispatch
   * @param readBack what a read-back saw
   * @param route how a witness route stands
   * @param offered the message that says the mailbox has the conclusion
   */
  record Reports(
      ActorRef<ExecutorActor.Report> dispatch,
      ActorRef<ReadBackActor.Report> readBack,
      ActorRef<RouteReport> route,
      Supplier<HeldCallProtocol.Message> offered) {}

  WorkRunner(
      ActorContext<HeldCallProtocol.Message> context, HeldCallRuntime runtime, Reports reports) {
    this.context = context;
    this.runtime = runtime;
    this.reports = reports;
    this.routes = new WitnessRoutes(context, runtime, reports.route());
  }

  /** Brings what runs in line with the plan. */
  void run(HeldCallFacts facts, long sequence, WorkPlan plan, boolean offered) {
    Set<String> planned = new HashSet<>();
    for (EnabledWork item : plan.outward()) {
      planned.add(item.key());
      switch (item) {
        case EnabledWork.Decide decide -> {}
        case EnabledWork.AskWitness ask -> {}
        case EnabledWork.Dispatch dispatch ->
            start(
                item,
                () ->
                    ExecutorActor.create(
                        order(facts, dispatch.lease(), persistedNanos(dispatch.lease())),
                        runtime.toolPort(),
                        runtime.clock(),
                        reports.dispatch()));
        case EnabledWork.ReadBack readBack ->
            start(
                item,
                () ->
                    ReadBackActor.create(
                        order(facts, readBack.lease(), System.nanoTime()),
                        runtime.toolPort(),
                        runtime.readBacks(),
                        runtime.clock(),
                        reports.readBack()));
        case EnabledWork.OfferDelivery offer -> {
          if (!offered) {
            start(
                item,
                () ->
                    DeliveryActor.create(
                        concluded -> runtime.readSide().write(concluded, sequence),
                        facts,
                        context.getSelf(),
                        reports.offered()));
          }
        }
        case EnabledWork.EndChild end -> {
          if (watched.add(item.key())) {
            tell(
                end.heldId(),
                new HeldCallProtocol.ParentEnded(facts.requireSpec().heldId(), end.how()));
          }
        }
        case EnabledWork.WatchCall watch -> {
          if (watched.add(item.key())) {
            tell(
                watch.heldId(),
                new HeldCallProtocol.Watch(facts.requireSpec().heldId(), watch.child()));
          }
        }
      }
    }
    stopUnplanned(planned);
    routes.run(facts);
  }

  /** The routes to witnesses. */
  WitnessRoutes routes() {
    return routes;
  }

  /** A lease that is about to be written. */
  void decided(Lease lease) {
    decided.put(lease.leaseId(), System.nanoTime());
  }

  /**
   * From when the executor's window to send runs: from now, for the write has just returned. If the
   * write took so long that the lease's own time is over by the monotonic clock, or if another
   * incarnation wrote it, the window is long closed: whatever the node's clock says, a paused node
   * must not send.
   */
  private long persistedNanos(Lease lease) {
    long now = System.nanoTime();
    Long at = decided.remove(lease.leaseId());
    long lifetime = Duration.between(lease.grantedAt(), lease.deadline()).toNanos();
    return at != null && now - at < lifetime ? now : now - LONG_AGO.toNanos();
  }

  private DispatchOrder order(HeldCallFacts facts, Lease lease, long persistedNanos) {
    Generation generation = facts.requireGeneration();
    return new DispatchOrder(
        lease,
        facts.requireSpec(),
        generation,
        runtime.tools().apply(generation.tool()).orElse(null),
        () -> runtime.permits().apply(lease, generation),
        persistedNanos);
  }

  private void start(EnabledWork item, Supplier<Behavior<?>> behavior) {
    if (children.containsKey(item.key())) {
      return;
    }
    started++;
    String name = NOT_IN_A_NAME.matcher(item.key()).replaceAll("-") + "-" + started;
    ActorRef<?> child = spawn(behavior.get(), name);
    context.watch(child);
    children.put(item.key(), child);
    LOG.debug("started {}: {}", item.key(), item.reason());
  }

  private <T> ActorRef<T> spawn(Behavior<T> behavior, String name) {
    return context.spawn(behavior, name);
  }

  private void stopUnplanned(Set<String> planned) {
    Iterator<Map.Entry<String, ActorRef<?>>> each = children.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<String, ActorRef<?>> child = each.next();
      if (!planned.contains(child.getKey()) && !isDispatch(child.getKey())) {
        context.stop(child.getValue());
        each.remove();
      }
    }
  }

  /**
   * A child failed: what it did is started again if it is still planned. A dispatch is not: its
   * executor has reported, whatever became of it.
   */
  void failed(ActorRef<?> child) {
    routes.ended(child);
    children
        .entrySet()
        .removeIf(each -> each.getValue().equals(child) && !isDispatch(each.getKey()));
  }

  private static boolean isDispatch(String key) {
    return key.startsWith("dispatch:");
  }

  /** Says something to another held call. */
  void tell(String heldId, HeldCallProtocol.Message message) {
    ClusterSharding.get(context.getSystem()).entityRefFor(HeldCallEntity.KEY, heldId).tell(message);
  }

  /** Asks watched calls again on the next run. */
  void forgetWatches() {
    watched.clear();
  }

  /** Nothing runs any more: the actor was restarted, and its children with it. */
  void forgetAll() {
    children.clear();
    routes.forgetAll();
    decided.clear();
    watched.clear();
  }
}
