package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.CallContext;
import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.Enabling;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.call.Invariants;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.kernel.lease.LeaseRules;
import dev.heldcall.kernel.simulate.CallMessage.Execute;
import dev.heldcall.kernel.simulate.CallMessage.ReplyTo;
import dev.heldcall.kernel.witness.KeyStandings;
import dev.heldcall.kernel.work.HeldCallLoop;
import dev.heldcall.kernel.work.HeldCallReconciler;
import dev.heldcall.kernel.work.LoopResult;
import dev.heldcall.plugin.api.ExecutorKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One incarnation of a call on one node: the entity's rules without its actor system. It mirrors
 * {@code HeldCallEntity} method by method, and the persistence plugin's part of it: one write at a
 * time, messages kept meanwhile, a failed write answered by nothing and followed by a restart with
 * backoff and a recovery. When the entity changes, this changes; it is over the usual size because
 * the two should be read side by side.
 */
final class CallShell {

  private static final long RETRY_MILLIS = 1_000;
  private static final long IDLE_MILLIS = 30_000;
  private static final long LEAVE_LOOK_MILLIS = 50;
  private static final int LEAVE_LOOKS = 200;
  private static final int REFUSALS = 200;

  private enum State {
    BUSY,
    READY,
    STOPPED
  }

  private final Simulation world;
  private final Node node;
  private final String heldId;
  private final CallWork work;
  private final ShellTimers timers;
  private final ShellWaiters waiters;
  private final Deque<CallMessage> kept = new ArrayDeque<>();
  private final Set<String> running = new HashSet<>();
  private final Set<String> cannotTell = new HashSet<>();
  private final Map<String, Boolean> watchers = new LinkedHashMap<>();
  private final IdentityHashMap<Execute, HeldCallFacts> oldFacts = new IdentityHashMap<>();
  private HeldCallFacts facts = HeldCallFacts.NONE;
  private State state = State.BUSY;
  private long sequence;
  private int restarts;
  private int failures;
  private int heldBack;
  private int acknowledging;
  private int leaveLooks;
  private boolean offered;

  CallShell(Simulation world, Node node, String heldId) {
    this.world = world;
    this.node = node;
    this.heldId = heldId;
    this.work = new CallWork(world, node, this);
    this.timers = new ShellTimers(world, node, this);
    this.waiters = new ShellWaiters(world, node, this);
  }

  String heldId() {
    return heldId;
  }

  HeldCallFacts facts() {
    return facts;
  }

  boolean offered() {
    return offered;
  }

  /** Whether it takes messages now: recovered, and no write under way. */
  boolean ready() {
    return state == State.READY;
  }

  void start() {
    recover();
    timers.idleAfter(IDLE_MILLIS);
  }

  /** The incarnation ends: its children end unheard, its write may still be made. */
  void stop() {
    state = State.STOPPED;
    work.stopAll();
    kept.clear();
  }

  void receive(CallMessage message) {
    if (state == State.READY) {
      handle(message);
    } else if (state == State.BUSY) {
      kept.add(message);
    }
  }

  private void recover() {
    int run = restarts;
    world
        .journal()
        .read(
            node,
            heldId,
            events -> {
              if (state == State.STOPPED || run != restarts) {
                return;
              }
              if (events == null) {
                restart();
              } else {
                recovered(events);
              }
            });
  }

  private void recovered(List<Object> events) {
    facts = HeldCallFacts.NONE;
    int size = events.size();
    if (world.planted(Plant.RECOVERY_LOSES_THE_LAST_EVENT) && size > 1) {
      size--;
    }
    for (Object event : events.subList(0, size)) {
      facts = HeldCallReducer.reduce(facts, (HeldCallEvent) event);
    }
    sequence = size;
    timers.current();
    running.clear();
    cannotTell.clear();
    heldBack = 0;
    acknowledging = 0;
    if (leaveLooks > 0) {
      kept.add(new CallMessage.Leave());
    }
    offered = false;
    work.forgetAll();
    if (world.planted(Plant.DISPATCH_AFTER_RECOVERY)) {
      facts.leases().forEach(each -> running.add(each.lease().leaseId()));
    }
    waiters.releaseAll(reply(new Answer.Stands()));
    if (facts.proposed()) {
      kept.add(new CallMessage.Tick());
    }
    unkeep();
  }

  private void unkeep() {
    state = State.READY;
    while (state == State.READY && !kept.isEmpty()) {
      handle(kept.poll());
    }
  }

  private void restart() {
    restarts++;
    state = State.BUSY;
    work.childrenStopped();
    int doublings = Math.min(failures++, 6);
    long pause = Math.min(200L << doublings, 10_000);
    int run = restarts;
    world
        .timeline()
        .after(
            pause + world.random().nextInt((int) pause / 5),
            node,
            () -> {
              if (state != State.STOPPED && run == restarts) {
                recover();
              }
            });
  }

  private void handle(CallMessage message) {
    if (world.planted(Plant.STALE_WHILE_ASKED) && !(message instanceof CallMessage.Idle)) {
      timers.current();
    }
    switch (message) {
      case Execute execute -> onExecute(execute);
      case CallMessage.PolicyCame came -> onPolicyCame(came);
      case CallMessage.Read read -> onRead(read);
      case CallMessage.Tick tick -> onTick();
      case CallMessage.Wake wake -> onWake();
      case CallMessage.Dispatched dispatched -> {
        running.remove(dispatched.leaseId());
        own(new HeldCallCommand.ReportDispatch(dispatched.leaseId(), dispatched.report()));
      }
      case CallMessage.ReadBackCame came -> onReadBack(came);
      case CallMessage.Watch watch -> onWatch(watch);
      case CallMessage.Watched watched -> onWatched(watched);
      case CallMessage.ParentEnded ended -> onParentEnded(ended);
      case CallMessage.Offered now -> {
        offered = true;
        waiters.release(reply(new Answer.Stands()));
      }
      case CallMessage.AckMarked marked -> {
        acknowledging = Math.max(0, acknowledging - 1);
        say(marked.command(), marked.replyTo(), reply(marked.answer()));
      }
      case CallMessage.WaitOver over -> waiters.timeOver(over.waiter(), reply(new Answer.Stands()));
      case CallMessage.Idle idle -> onIdle();
      case CallMessage.Leave leave -> onLeave();
    }
  }

  private void onExecute(Execute message) {
    PolicyInForce known = world.policies().lastKnown(node);
    if (world.planted(Plant.POLICY_FROM_MEMORY) && known.epoch() > 0) {
      known =
          new PolicyInForce(
              known.layers(),
              known.epoch(),
              true,
              true,
              known.capabilitiesNow(),
              known.roster(),
              KeyStandings.ALL_STAND);
    }
    turn(facts, message, known, false);
  }

  private void own(HeldCallCommand command) {
    onExecute(new Execute(command, 0, ReplyTo.NOBODY));
  }

  private void onWake() {
    work.forgetWatches();
    onTick();
  }

  private void onTick() {
    if (lagsBehindPolicy()) {
      askPolicy(new Execute(new HeldCallCommand.Tick(), 0, ReplyTo.NOBODY));
    } else {
      own(new HeldCallCommand.Tick());
    }
  }

  private void turn(HeldCallFacts on, Execute message, PolicyInForce policy, boolean asked) {
    CallContext context = knowing(policy);
    LoopResult result = HeldCallLoop.run(on, message.command(), context);
    if (result.overBound()) {
      world.oracle().broken(heldId + ": enabled work has no fixed point");
    }
    if (result.wantsFreshPolicy() && !asked) {
      askPolicy(message);
      return;
    }
    if (result.wantsFreshPolicy()) {
      timers.retryAfter(RETRY_MILLIS);
    }
    if (result.events().isEmpty()) {
      afterTurn(message, result);
      return;
    }
    List<String> broken = Invariants.violations(on, result.events(), result.facts(), context);
    if (!broken.isEmpty()) {
      world.oracle().broken(heldId + ": " + broken);
      Rejection refused = Rejection.of(Problem.UNAVAILABLE, "it would have broken an invariant");
      say(message.command(), message.replyTo(), reply(new Answer.Refused(refused)));
      return;
    }
    persist(message, result);
  }

  private void persist(Execute message, LoopResult result) {
    List<HeldCallEvent> events = result.events();
    for (HeldCallEvent event : events) {
      if (event instanceof HeldCallEvent.LeaseGranted granted) {
        work.decided(granted.lease());
      }
    }
    if (world.planted(Plant.EVIDENCE_KEPT_OVER_EDIT)) {
      events = PlantedEvents.withOldEvidence(facts, events);
    }
    if (world.planted(Plant.ACKNOWLEDGED_BEFORE_WRITE)
        && message.command() instanceof HeldCallCommand.AcknowledgeDelivery) {
      world.mailbox().mark(facts);
    }
    List<HeldCallEvent> all = events;
    HeldCallFacts after = HeldCallReducer.reduceAll(facts, all);
    if (world.planted(Plant.ANSWER_BEFORE_WRITE) && result.answer() instanceof Answer.Attested) {
      sequence += all.size();
      say(message.command(), message.replyTo(), reply(result.answer()));
      sequence -= all.size();
    }
    if (world.planted(Plant.DISPATCH_BEFORE_WRITE)) {
      work.sendUnwritten(after, all);
    }
    state = State.BUSY;
    int run = restarts;
    world
        .journal()
        .append(
            node,
            heldId,
            sequence + 1,
            all,
            made -> {
              if (state == State.STOPPED || run != restarts) {
                return;
              }
              if (!made) {
                restart();
                return;
              }
              failures = 0;
              timers.current();
              sequence += all.size();
              facts = after;
              world.oracle().written(heldId, sequence, facts);
              state = State.READY;
              afterTurn(message, result);
              unkeep();
            });
  }

  private CallContext knowing(PolicyInForce policy) {
    return new CallContext(
        node.clock(), policy, LeaseRules.Terms.DEFAULT, running, cannotTell, REFUSALS);
  }

  private void askPolicy(Execute message) {
    heldBack++;
    HeldCallFacts on = facts;
    if (world.planted(Plant.HELD_BACK_ON_OLD_FACTS)) {
      oldFacts.put(message, on);
    }
    world
        .policies()
        .read(node, policy -> receive(new CallMessage.PolicyCame(message, policy, on.events())));
  }

  private void onPolicyCame(CallMessage.PolicyCame came) {
    heldBack = Math.max(0, heldBack - 1);
    PolicyInForce policy = came.policy();
    boolean changed = came.askedOn() != facts.events();
    if (policy == null) {
      turn(facts, came.held(), world.policies().lastKnown(node), true);
    } else if (oldFacts.containsKey(came.held())) {
      turn(oldFacts.getOrDefault(came.held(), facts), came.held(), policy, true);
    } else if (changed && !world.planted(Plant.READ_BEFORE_READY)) {
      if (came.held().command() instanceof HeldCallCommand.Tick && lagsBehindPolicy()) {
        askPolicy(came.held());
      } else {
        onExecute(came.held());
      }
    } else {
      turn(facts, came.held(), policy, true);
    }
  }

  /** Answers and work: only what is in the journal is said, and only then is anything started. */
  private void afterTurn(Execute message, LoopResult result) {
    for (HeldCallEvent event : result.events()) {
      if (event instanceof HeldCallEvent.LeaseGranted granted
          && (granted.lease().executor() != ExecutorKind.CLIENT
              || world.planted(Plant.CLIENT_LEASE_RUNS_HERE))) {
        running.add(granted.lease().leaseId());
      }
    }
    if (!result.events().isEmpty()) {
      world.index().changed(node, facts, sequence);
    }
    answer(message, result.answer());
    startWork();
    waiters.release(reply(new Answer.Stands()));
    tellWatchers(result.events());
  }

  private void startWork() {
    PolicyInForce known = world.policies().lastKnown(node);
    work.run(facts, sequence, HeldCallReconciler.plan(facts, knowing(known)), offered);
    Instant due = Enabling.nextDue(facts);
    if (due != null) {
      long delay = Duration.between(node.clock(), due).toMillis();
      long atLeast = delay < 0 ? RETRY_MILLIS : delay;
      if (atLeast < IDLE_MILLIS) {
        timers.dueAfter(atLeast + 2);
      }
    }
  }

  private void answer(Execute message, Answer answer) {
    if (answer instanceof Answer.FreshPolicyNeeded) {
      Rejection rejection = Rejection.of(Problem.UNAVAILABLE, "the policy could not be read");
      say(message.command(), message.replyTo(), reply(new Answer.Refused(rejection)));
    } else if (message.command() instanceof HeldCallCommand.AcknowledgeDelivery
        && answer instanceof Answer.Stands) {
      acknowledging++;
      CallMessage marked = new CallMessage.AckMarked(message.command(), answer, message.replyTo());
      world.mailbox().write(node, facts, sequence, done -> receive(marked));
    } else {
      long wait = waiters.millisToWait(facts, offered, message, answer);
      if (wait <= 0 || leaveLooks > 0) {
        say(message.command(), message.replyTo(), reply(answer));
      } else {
        timers.waitOverAfter(wait, waiters.add(message.command(), answer, message.replyTo()));
      }
    }
  }

  /** Every word to the outside passes here, and past the oracle. */
  void say(HeldCallCommand command, ReplyTo replyTo, CallReply reply) {
    if (replyTo != ReplyTo.NOBODY) {
      world.oracle().said(heldId, command, reply);
      replyTo.tell(node, reply);
    }
  }

  CallReply reply(Answer answer) {
    return new CallReply(sequence, facts, answer, facts.now(node.clock()));
  }

  private void onRead(CallMessage.Read read) {
    if (lagsBehindPolicy()) {
      askPolicy(new Execute(new HeldCallCommand.Tick(), 0, read.replyTo()));
    } else {
      say(new HeldCallCommand.Tick(), read.replyTo(), reply(new Answer.Stands()));
    }
  }

  private boolean lagsBehindPolicy() {
    Ruling ruling = facts.ruling();
    return ruling != null
        && facts.undecided()
        && world.policies().lastKnown(node).epoch() > ruling.epoch();
  }

  private void onReadBack(CallMessage.ReadBackCame came) {
    if (came.report() instanceof dev.heldcall.kernel.call.ReadBackReport.CannotTell) {
      cannotTell.add(came.leaseId());
    }
    own(new HeldCallCommand.ReportReadBack(came.leaseId(), came.askedAt(), came.report()));
  }

  private void onWatch(CallMessage.Watch watch) {
    CallMessage.Watched now = Tell.settlement(heldId, facts, watch.child());
    if (now.state() == DependencyState.PENDING && !now.absent()) {
      watchers.put(watch.watcher(), watch.child());
    }
    world.cluster().tell(node, watch.watcher(), now);
  }

  private void tellWatchers(List<HeldCallEvent> events) {
    boolean other = events.stream().anyMatch(HeldCallEvent.CallEdited.class::isInstance);
    if (events.isEmpty() || watchers.isEmpty() || (!facts.concluded() && !other)) {
      return;
    }
    watchers.forEach(
        (watcher, child) -> {
          CallMessage.Watched now = Tell.settlement(heldId, facts, child);
          if (now.state() != DependencyState.PENDING || other) {
            world.cluster().tell(node, watcher, now);
          }
        });
  }

  private void onWatched(CallMessage.Watched watched) {
    DependencyState stands = watched.state();
    if (watched.absent() && watched.child()) {
      Instant announced = facts.children().get(watched.heldId());
      boolean never =
          announced != null && node.clock().isAfter(announced.plus(Duration.ofMinutes(1)));
      stands = never ? DependencyState.SATISFIED : DependencyState.PENDING;
    }
    own(
        new HeldCallCommand.ReportDependency(
            watched.heldId(), stands, watched.child(), watched.detail(), watched.upstream()));
  }

  private void onParentEnded(CallMessage.ParentEnded ended) {
    CallMessage.Watched now = Tell.settlement(heldId, facts, true);
    if (now.state() == DependencyState.PENDING && !now.absent()) {
      watchers.put(ended.parent(), true);
      own(new HeldCallCommand.EndWithParent(ended.parent(), ended.how()));
    } else {
      world.cluster().tell(node, ended.parent(), now);
    }
  }

  private void onIdle() {
    boolean busy =
        heldBack > 0
            || !running.isEmpty()
            || (facts.concluded() && !offered && facts.delivery() == Delivery.PENDING);
    if (!busy) {
      waiters.releaseAll(reply(new Answer.Stands()));
      world.faults().count(Fault.CALL_LEFT_MEMORY);
      receive(new CallMessage.Leave());
    }
  }

  private void onLeave() {
    waiters.releaseAll(reply(new Answer.Stands()));
    LeaseRecord last = facts.lastLease();
    boolean toolRuns =
        facts.execution() == Execution.LEASED
            && last != null
            && last.lease().executor() != ExecutorKind.CLIENT
            && running.contains(last.lease().leaseId());
    leaveLooks++;
    if (leaveLooks > LEAVE_LOOKS || (heldBack == 0 && acknowledging == 0 && !toolRuns)) {
      leaveNow();
    } else {
      timers.leaveAfter(LEAVE_LOOK_MILLIS);
    }
  }

  /** Ends at once, whatever is under way. */
  void leaveNow() {
    stop();
    node.calls().remove(heldId);
  }

  /** Whether it read or wrote the journal not long ago, as every incarnation should have. */
  boolean memoryIsYoung() {
    return timers.sinceCurrent() <= 2 * IDLE_MILLIS;
  }

  /** How it stands, for a trace. */
  @Override
  public String toString() {
    return "%s on %s: %s at %d, %s, running %d, held back %d, kept %d, offered %s"
        .formatted(
            world.shortName(heldId),
            node.name(),
            state,
            sequence,
            facts.proposed() ? facts.execution() + " " + facts.lifecycle() : "not proposed",
            running.size(),
            heldBack,
            kept.size(),
            offered);
  }
}
