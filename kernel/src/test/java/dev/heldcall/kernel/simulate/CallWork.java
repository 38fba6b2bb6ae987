package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.work.EnabledWork;
import dev.heldcall.kernel.work.WorkPlan;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Holds the plan against what runs, as {@code WorkRunner} does. */
final class CallWork {

  private final Simulation world;
  private final Node node;
  private final CallShell shell;
  private final Map<String, Child> children = new LinkedHashMap<>();
  private final Set<String> watched = new HashSet<>();
  private final Map<String, Long> decided = new HashMap<>();

  /** Something that runs for the call. */
  interface Child {
    /** It is stopped; who listens still hears its last word. */
    void stop(boolean heard);
  }

  CallWork(Simulation world, Node node, CallShell shell) {
    this.world = world;
    this.node = node;
    this.shell = shell;
  }

  void run(HeldCallFacts facts, long sequence, WorkPlan plan, boolean offered) {
    Set<String> planned = new HashSet<>();
    for (EnabledWork item : plan.outward()) {
      planned.add(item.key());
      switch (item) {
        case EnabledWork.Decide decide -> {}
        case EnabledWork.AskWitness ask ->
            start(item, () -> new Publishing(world, node, facts, ask.witnessClass()));
        case EnabledWork.Dispatch dispatch ->
            start(
                item,
                () ->
                    new Executing(
                        world,
                        node,
                        shell,
                        dispatch.lease(),
                        facts.requireGeneration().tool(),
                        persistedNanos(dispatch.lease())));
        case EnabledWork.ReadBack readBack ->
            start(item, () -> new ReadingBack(world, node, shell, readBack.lease()));
        case EnabledWork.OfferDelivery offer -> {
          if (!offered) {
            start(item, () -> new Offering(world, node, shell, facts, sequence));
          }
        }
        case EnabledWork.EndChild end -> {
          if (watched.add(item.key())) {
            world
                .cluster()
                .tell(
                    node,
                    end.heldId(),
                    new CallMessage.ParentEnded(facts.requireSpec().heldId(), end.how()));
          }
        }
        case EnabledWork.WatchCall watch -> {
          if (watched.add(item.key())) {
            world
                .cluster()
                .tell(
                    node,
                    watch.heldId(),
                    new CallMessage.Watch(facts.requireSpec().heldId(), watch.child()));
          }
        }
      }
    }
    stopUnplanned(planned);
  }

  void decided(Lease lease) {
    decided.put(lease.leaseId(), node.nanos());
  }

  /** The planted bug: the executor starts when the lease is decided. */
  void sendUnwritten(HeldCallFacts after, List<HeldCallEvent> events) {
    for (HeldCallEvent event : events) {
      if (event instanceof HeldCallEvent.LeaseGranted granted) {
        children.put(
            "dispatch:" + granted.lease().leaseId(),
            new Executing(
                world,
                node,
                shell,
                granted.lease(),
                after.requireGeneration().tool(),
                node.nanos()));
      }
    }
  }

  private long persistedNanos(Lease lease) {
    long now = node.nanos();
    Long at = decided.remove(lease.leaseId());
    if (world.planted(Plant.WINDOW_FROM_NOW) || world.planted(Plant.DISPATCH_AFTER_RECOVERY)) {
      return now;
    }
    long lifetime = Duration.between(lease.grantedAt(), lease.deadline()).toNanos();
    return at != null && now - at < lifetime ? now : now - Duration.ofDays(1).toNanos();
  }

  private void start(EnabledWork item, Supplier<Child> child) {
    if (!children.containsKey(item.key())) {
      children.put(item.key(), child.get());
    }
  }

  private void stopUnplanned(Set<String> planned) {
    Iterator<Map.Entry<String, Child>> each = children.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<String, Child> child = each.next();
      if (!planned.contains(child.getKey()) && !child.getKey().startsWith("dispatch:")) {
        child.getValue().stop(true);
        each.remove();
      }
    }
  }

  void forgetWatches() {
    watched.clear();
  }

  /** The entity restarts: its children stop, and an executor's last word still comes. */
  void childrenStopped() {
    children.values().forEach(each -> each.stop(true));
  }

  /** The entity is gone, and with it whoever would have heard. */
  void stopAll() {
    children.values().forEach(each -> each.stop(false));
    forgetAll();
  }

  void forgetAll() {
    children.clear();
    decided.clear();
    watched.clear();
  }
}
