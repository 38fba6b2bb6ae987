package dev.heldcall.kernel.work;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.plugin.api.ToolEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A tool, its network and the call's own workers: requests and answers get lost, effects come late
 * (but never after the lease's settle time), processes die at any moment. Nobody lies. It counts
 * the effects that really happened.
 */
final class HonestWorld {

  private final LiveCall call;
  private final Random random;
  private final Set<String> started = new HashSet<>();
  private final List<HeldCallCommand> reports = new ArrayList<>();
  private final List<Late> late = new ArrayList<>();
  private final Set<String> honouredKeys = new HashSet<>();
  private int effects;

  /** An effect that is still on its way. */
  private record Late(Lease lease, Instant at) {}

  HonestWorld(LiveCall call, Random random) {
    this.call = call;
    this.random = random;
  }

  int effects() {
    return effects;
  }

  /** Whether no effect is on its way any more. */
  boolean quiet() {
    return late.isEmpty();
  }

  void pass(Duration time) {
    call.advance(time);
    List<Late> due = late.stream().filter(each -> !each.at().isAfter(call.now())).toList();
    late.removeAll(due);
    due.forEach(each -> effect(each.lease()));
  }

  /** The process dies, and with it every report that was not delivered. */
  void crash() {
    reports.clear();
    call.restart();
  }

  /** The call's workers do what is enabled. */
  void work(boolean lossless) {
    for (EnabledWork item : HeldCallReconciler.plan(call.facts(), call.context()).outward()) {
      switch (item) {
        case EnabledWork.Dispatch dispatch -> {
          if (started.add(dispatch.lease().leaseId())) {
            send(dispatch.lease(), lossless);
          }
        }
        case EnabledWork.ReadBack readBack -> readBack(readBack.lease(), lossless);
        case EnabledWork.Decide decide -> Objects.requireNonNull(decide);
        case EnabledWork.AskWitness ask -> Objects.requireNonNull(ask);
        case EnabledWork.OfferDelivery offer -> Objects.requireNonNull(offer);
        case EnabledWork.EndChild end -> Objects.requireNonNull(end);
        case EnabledWork.WatchCall watch -> Objects.requireNonNull(watch);
      }
    }
  }

  private void send(Lease lease, boolean lossless) {
    String id = lease.leaseId();
    if (!call.now().isBefore(lease.grantedAt().plusSeconds(1))) {
      reports.add(new HeldCallCommand.ReportDispatch(id, new DispatchReport.NoEffect("not sent")));
      return;
    }
    switch (lossless ? 1 : random.nextInt(6)) {
      case 0 ->
          reports.add(
              new HeldCallCommand.ReportDispatch(id, new DispatchReport.NoEffect("refused")));
      case 1 -> {
        effect(lease);
        reports.add(new HeldCallCommand.ReportDispatch(id, LiveCall.answer(true, "{'id': 7}")));
      }
      case 2 -> {
        effect(lease);
        cut(id);
      }
      case 3 -> cut(id);
      case 4 -> {
        long millis = Duration.between(call.now(), lease.settlesAt()).toMillis();
        late.add(new Late(lease, call.now().plusMillis((long) (random.nextDouble() * millis))));
        cut(id);
      }
      default -> {
        boolean nobodyReports = random.nextBoolean();
        if (nobodyReports) {
          effect(lease);
        }
      }
    }
  }

  private void cut(String leaseId) {
    reports.add(new HeldCallCommand.ReportDispatch(leaseId, new DispatchReport.Unknown("cut")));
  }

  private void effect(Lease lease) {
    ToolEntry tool =
        Objects.requireNonNull(CoreFixtures.TOOLS.get(call.facts().requireGeneration().tool()));
    if (!tool.idempotent() || honouredKeys.add(lease.idempotencyKey())) {
      effects++;
    }
  }

  private void readBack(Lease lease, boolean lossless) {
    ReadBackReport seen =
        !lossless && random.nextInt(4) == 0
            ? new ReadBackReport.CannotTell("503")
            : effects > 0 ? LiveCall.effectSeen("{'id': 7}") : new ReadBackReport.NoEffect();
    if (seen instanceof ReadBackReport.CannotTell) {
      call.cannotTell();
    }
    reports.add(new HeldCallCommand.ReportReadBack(lease.leaseId(), call.now(), seen));
  }

  /** Some report arrives, perhaps not the oldest, perhaps not for the last time. */
  void deliverOne() {
    if (!reports.isEmpty()) {
      int index = random.nextInt(reports.size());
      HeldCallCommand report = reports.get(index);
      if (random.nextInt(4) > 0) {
        reports.remove(index);
      }
      call.run(report);
    }
  }

  void loseOne() {
    if (!reports.isEmpty()) {
      reports.remove(random.nextInt(reports.size()));
    }
  }

  void deliverAll() {
    while (!reports.isEmpty()) {
      call.run(reports.removeFirst());
    }
  }

  /** What an operator knows who has looked, once nothing can happen any more. */
  @Nullable Boolean truth() {
    return quiet() ? effects > 0 : null;
  }
}
