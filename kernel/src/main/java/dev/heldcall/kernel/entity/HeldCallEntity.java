package dev.heldcall.kernel.entity;

import dev.heldcall.kernel.call.Answer;
import dev.heldcall.kernel.call.CallContext;
import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.DependencyState;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.Enabling;
import dev.heldcall.kernel.call.EvidenceView;
import dev.heldcall.kernel.call.Execution;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Invariants;
import dev.heldcall.kernel.call.LeaseRecord;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.call.Ruling;
import dev.heldcall.kernel.entity.HeldCallProtocol.CallReply;
import dev.heldcall.kernel.entity.HeldCallProtocol.Execute;
import dev.heldcall.kernel.entity.HeldCallProtocol.Message;
import dev.heldcall.kernel.entity.HeldCallProtocol.ParentEnded;
import dev.heldcall.kernel.entity.HeldCallProtocol.Read;
import dev.heldcall.kernel.entity.HeldCallProtocol.Wake;
import dev.heldcall.kernel.entity.HeldCallProtocol.Watch;
import dev.heldcall.kernel.entity.HeldCallProtocol.Watched;
import dev.heldcall.kernel.execute.ExecutorActor;
import dev.heldcall.kernel.execute.ReadBackActor;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.route.RouteReport;
import dev.heldcall.kernel.work.HeldCallLoop;
import dev.heldcall.kernel.work.HeldCallReconciler;
import dev.heldcall.kernel.work.LoopResult;
import dev.heldcall.plugin.api.ExecutorKind;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.ChildFailed;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.Terminated;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.RecoveryCompleted;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;
import org.apache.pekko.persistence.typed.javadsl.SignalHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One held call. Every message runs one turn of {@link HeldCallLoop}; the turn's events are
 * persisted as one list; then, and only then, answers are given and the plan's work is started.
 *
 * <p>A command that could lead to a lease or a ruling is held back, with nothing written, until the
 * policy has been read from the database in a read that began after it came (rule 6), and is then
 * decided anew on the facts as they stand by then. Other commands go on in the meantime, so the
 * order of the journal is the order of decisions.
 *
 * <p>What is not in the journal is only a matter of this incarnation: which executors run, who
 * waits for an answer, whether the mailbox has the conclusion. After a crash all of it is found
 * again from the facts. It is over the usual size because a message's whole way should be read in
 * one place.
 */
public final class HeldCallEntity
    extends EventSourcedBehavior<Message, HeldCallEvent, HeldCallFacts> {

  /** The sharded type. */
  public static final EntityTypeKey<Message> KEY = EntityTypeKey.create(Message.class, "held-call");

  private static final Logger LOG = LoggerFactory.getLogger(HeldCallEntity.class);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration LEAVE_LOOK = Duration.ofMillis(50);

  /** Ten seconds: a tool's usual timeout, and less than anybody waits for an answer. */
  private static final int LEAVE_LOOKS = 200;

  private static final Rejection BROKEN =
      Rejection.of(
          Problem.UNAVAILABLE, "the decision would have broken an invariant; nothing was done");

  /** The policy that a command was held back for, and how many events its call had by then. */
  private record PolicyCame(
      Execute held, @Nullable PolicyInForce policy, String failure, long askedOn)
      implements Message {}

  private record Dispatched(String leaseId, DispatchReport report) implements Message {}

  private record ReadBackCame(String leaseId, Instant askedAt, ReadBackReport report)
      implements Message {}

  private record RouteStands(RouteReport report) implements Message {}

  private record Offered() implements Message {}

  private record AckMarked(Answer answer, ActorRef<CallReply> replyTo) implements Message {}

  private record Tick() implements Message {}

  private record WaitOver(long waiter) implements Message {}

  private record Idle() implements Message {}

  private record Leave() implements Message {}

  private final ActorContext<Message> context;
  private final TimerScheduler<Message> timers;
  private final String heldId;
  private final HeldCallRuntime runtime;
  private final ActorRef<ClusterSharding.ShardCommand> shard;
  private final WorkRunner work;
  private final Waiters waiters = new Waiters();
  private final Set<String> running = new HashSet<>();
  private final Set<String> cannotTell = new HashSet<>();
  private final Map<String, Boolean> watchers = new HashMap<>();
  private int heldBack;
  private int acknowledging;
  private int leaveLooks;
  private boolean offered;

  /** The behaviour of the call with the id. */
  public static Behavior<Message> create(
      String heldId, HeldCallRuntime runtime, ActorRef<ClusterSharding.ShardCommand> shard) {
    return Behaviors.setup(
        context ->
            Behaviors.withTimers(
                timers -> new HeldCallEntity(context, timers, heldId, runtime, shard)));
  }

  /**
   * What sharding says to a call that leaves memory or moves to another node: what is under way
   * comes to its end first, as far as that is soon.
   */
  public static Message stopMessage() {
    return new Leave();
  }

  private HeldCallEntity(
      ActorContext<Message> context,
      TimerScheduler<Message> timers,
      String heldId,
      HeldCallRuntime runtime,
      ActorRef<ClusterSharding.ShardCommand> shard) {
    super(
        PersistenceId.of(KEY.name(), heldId),
        SupervisorStrategy.restartWithBackoff(Duration.ofMillis(200), Duration.ofSeconds(10), 0.2)
            .withStashCapacity(200));
    this.context = context;
    this.timers = timers;
    this.heldId = heldId;
    this.runtime = runtime;
    this.shard = shard;
    this.work =
        new WorkRunner(
            context,
            runtime,
            new WorkRunner.Reports(
                context.messageAdapter(
                    ExecutorActor.Report.class, it -> new Dispatched(it.leaseId(), it.report())),
                context.messageAdapter(
                    ReadBackActor.Report.class,
                    it -> new ReadBackCame(it.leaseId(), it.askedAt(), it.report())),
                context.messageAdapter(RouteReport.class, RouteStands::new),
                Offered::new));
  }

  @Override
  public HeldCallFacts emptyState() {
    return HeldCallFacts.NONE;
  }

  @Override
  public EventHandler<HeldCallFacts, HeldCallEvent> eventHandler() {
    return dev.heldcall.kernel.call.HeldCallReducer::reduce;
  }

  @Override
  public SignalHandler<HeldCallFacts> signalHandler() {
    return newSignalHandlerBuilder()
        .onSignal(RecoveryCompleted.instance(), this::onRecovered)
        .onSignal(Terminated.class, (facts, ended) -> onChildEnded(ended))
        .build();
  }

  /** Nothing but a defect makes a child fail; what it did is planned again, a dispatch is not. */
  private void onChildEnded(Terminated ended) {
    if (ended instanceof ChildFailed failed) {
      LOG.error("{}: {} failed", heldId, failed.getRef().path().name(), failed.cause());
      work.failed(failed.getRef());
      timers.startSingleTimer("retry", new Tick(), RETRY);
    } else {
      work.routes().ended(ended.getRef());
    }
  }

  /**
   * What is in memory is what the journal says as of now. An incarnation that survives a partition
   * may be behind what the other one wrote, and learns it when it writes itself; one that only
   * reads would never learn it. So none lives for longer than the idle time without either, however
   * often it is asked.
   */
  private void readOrWritten(HeldCallFacts facts) {
    timers.startSingleTimer("idle", new Idle(), Bulk.idle(facts, runtime.idle()));
  }

  private void onRecovered(HeldCallFacts facts) {
    running.clear();
    cannotTell.clear();
    heldBack = 0;
    acknowledging = 0;
    offered = false;
    work.forgetAll();
    waiters.releaseAll(reply(facts, new Answer.Stands()));
    if (leaveLooks > 0) {
      context.getSelf().tell(new Leave());
    }
    readOrWritten(facts);
    if (facts.proposed()) {
      context.getSelf().tell(new Tick());
    }
  }

  @Override
  public CommandHandler<Message, HeldCallEvent, HeldCallFacts> commandHandler() {
    return newCommandHandlerBuilder()
        .forAnyState()
        .onCommand(Execute.class, this::onExecute)
        .onCommand(PolicyCame.class, this::onPolicyCame)
        .onCommand(Read.class, this::onRead)
        .onCommand(Tick.class, (facts, tick) -> onTick(facts))
        .onCommand(Wake.class, this::onWake)
        .onCommand(Dispatched.class, this::onDispatched)
        .onCommand(ReadBackCame.class, this::onReadBack)
        .onCommand(Watch.class, this::onWatch)
        .onCommand(Watched.class, this::onWatched)
        .onCommand(ParentEnded.class, this::onParentEnded)
        .onCommand(RouteStands.class, this::onRoute)
        .onCommand(Offered.class, this::onOffered)
        .onCommand(AckMarked.class, this::onAckMarked)
        .onCommand(WaitOver.class, this::onWaitOver)
        .onCommand(Idle.class, this::onIdle)
        .onCommand(Leave.class, this::onLeave)
        .build();
  }

  private Effect<HeldCallEvent, HeldCallFacts> onExecute(HeldCallFacts facts, Execute message) {
    PolicyInForce known = runtime.policies().lastKnown(org(facts, message.command()));
    return turn(facts, message, known, false);
  }

  private Effect<HeldCallEvent, HeldCallFacts> own(HeldCallFacts facts, HeldCallCommand command) {
    return onExecute(facts, new Execute(command, 0, context.getSystem().ignoreRef()));
  }

  private Effect<HeldCallEvent, HeldCallFacts> onWake(HeldCallFacts facts, Wake wake) {
    work.forgetWatches();
    work.routes().poked();
    return onTick(facts);
  }

  /** A dearer witness may have to be asked now. */
  private Effect<HeldCallEvent, HeldCallFacts> onRoute(HeldCallFacts facts, RouteStands stands) {
    if (work.routes().reported(stands.report())) {
      work.routes().run(facts);
    }
    return Effect().none();
  }

  private Effect<HeldCallEvent, HeldCallFacts> onTick(HeldCallFacts facts) {
    if (lagsBehindPolicy(facts)) {
      askPolicy(facts, new Execute(new HeldCallCommand.Tick(), 0, context.getSystem().ignoreRef()));
      return Effect().none();
    }
    return own(facts, new HeldCallCommand.Tick());
  }

  private static String org(HeldCallFacts facts, HeldCallCommand command) {
    if (command instanceof HeldCallCommand.ProposeCall propose) {
      return propose.proposer().org();
    }
    return facts.proposed() ? facts.requireSpec().proposer().org() : "";
  }

  private Effect<HeldCallEvent, HeldCallFacts> turn(
      HeldCallFacts facts, Execute message, PolicyInForce policy, boolean asked) {
    LoopResult result = HeldCallLoop.run(facts, message.command(), knowing(policy));
    if (result.overBound()) {
      LOG.error("{}: enabled work has no fixed point; nothing is executed", heldId);
    }
    if (result.wantsFreshPolicy() && !asked) {
      askPolicy(facts, message);
      return Effect().none();
    }
    if (result.wantsFreshPolicy()) {
      timers.startSingleTimer("retry", new Tick(), RETRY);
    }
    if (waitsForKeys(result.facts(), policy)) {
      timers.startSingleTimer("retry", new Tick(), RETRY);
    }
    if (result.events().isEmpty()) {
      afterTurn(facts, message, result);
      return Effect().none();
    }
    List<String> broken =
        Invariants.violations(facts, result.events(), result.facts(), knowing(policy));
    if (!broken.isEmpty()) {
      LOG.error("ALARM {}: nothing is written, for it would break {}", heldId, broken);
      message.replyTo().tell(reply(facts, new Answer.Refused(BROKEN)));
      return Effect().none();
    }
    for (HeldCallEvent event : result.events()) {
      if (event instanceof HeldCallEvent.LeaseGranted granted) {
        work.decided(granted.lease());
      }
    }
    return Effect()
        .persist(result.events())
        .thenRun(
            persisted -> {
              readOrWritten(persisted);
              afterTurn(persisted, message, result);
            });
  }

  private CallContext knowing(PolicyInForce policy) {
    return new CallContext(
        runtime.clock().instant(),
        policy,
        runtime.terms(),
        running,
        cannotTell,
        runtime.refusalBound());
  }

  /** Whether only the keys of witnesses, which cannot be read now, stand before a lease. */
  private boolean waitsForKeys(HeldCallFacts facts, PolicyInForce policy) {
    return facts.undecided()
        && EvidenceView.satisfied(facts, facts.now(runtime.clock().instant()))
        && !Enabling.evidenceOfUnknownKeys(facts, knowing(policy)).isEmpty();
  }

  private void askPolicy(HeldCallFacts facts, Execute message) {
    heldBack++;
    context.pipeToSelf(
        runtime.policies().fresh(org(facts, message.command())),
        (policy, failure) ->
            new PolicyCame(
                message, policy, failure == null ? "" : String.valueOf(failure), facts.events()));
  }

  private Effect<HeldCallEvent, HeldCallFacts> onPolicyCame(HeldCallFacts facts, PolicyCame came) {
    heldBack = Math.max(0, heldBack - 1);
    PolicyInForce policy = came.policy();
    if (policy == null) {
      LOG.warn("{}: the policy could not be read: {}", heldId, came.failure());
      policy = runtime.policies().lastKnown(org(facts, came.held().command()));
    } else if (came.askedOn() != facts.events()) {
      // The read began before the call became what it is: no lease may rest on it (rule 6).
      if (came.held().command() instanceof HeldCallCommand.Tick && lagsBehindPolicy(facts)) {
        askPolicy(facts, came.held());
        return Effect().none();
      }
      return onExecute(facts, came.held());
    }
    return turn(facts, came.held(), policy, true);
  }

  /** Answers and work: only what is in the journal is said, and only then is anything started. */
  private void afterTurn(HeldCallFacts facts, Execute message, LoopResult result) {
    for (HeldCallEvent event : result.events()) {
      if (event instanceof HeldCallEvent.LeaseGranted granted
          && granted.lease().executor() != ExecutorKind.CLIENT) {
        running.add(granted.lease().leaseId());
      }
    }
    log(facts, result.events());
    if (!result.events().isEmpty()) {
      runtime.readSide().changed(facts, lastSequenceNumber(context));
    }
    answer(facts, message, result.answer());
    startWork(facts);
    CallReply now = reply(facts, new Answer.Stands());
    waiters.release(now);
    tellWatchers(facts, result.events());
  }

  private void startWork(HeldCallFacts facts) {
    PolicyInForce known = runtime.policies().lastKnown(org(facts, new HeldCallCommand.Tick()));
    work.run(
        facts,
        lastSequenceNumber(context),
        HeldCallReconciler.plan(facts, knowing(known)),
        offered);
    Instant due = Enabling.nextDue(facts);
    if (due != null) {
      Duration delay = Duration.between(runtime.clock().instant(), due);
      Duration atLeast = delay.compareTo(RETRY) < 0 && delay.isNegative() ? RETRY : delay;
      if (atLeast.compareTo(runtime.idle()) < 0) {
        timers.startSingleTimer("due", new Tick(), atLeast.plusMillis(2));
      }
    }
  }

  private void answer(HeldCallFacts facts, Execute message, Answer answer) {
    if (answer instanceof Answer.FreshPolicyNeeded) {
      Rejection rejection =
          Rejection.of(
              Problem.UNAVAILABLE, "the policy in force could not be read; nothing was done");
      message.replyTo().tell(reply(facts, new Answer.Refused(rejection)));
      return;
    }
    boolean conclusive =
        message.command() instanceof HeldCallCommand.ProposeCall
            || message.command() instanceof HeldCallCommand.EditCall;
    if (message.command() instanceof HeldCallCommand.AcknowledgeDelivery
        && answer instanceof Answer.Stands) {
      markAcknowledged(facts, message.replyTo(), answer);
      return;
    }
    Duration wait = conclusive && answer instanceof Answer.Stands ? wait(facts, message) : null;
    if (wait == null) {
      message.replyTo().tell(reply(facts, answer));
      return;
    }
    long waiter = waiters.add(answer, this::conclusionOffered, message.replyTo());
    timers.startSingleTimer("wait-" + waiter, new WaitOver(waiter), wait);
  }

  /** How long the proposer's answer waits for the conclusion, or null for not at all. */
  private @Nullable Duration wait(HeldCallFacts facts, Execute message) {
    if (leaveLooks > 0 || conclusionOffered(reply(facts, new Answer.Stands()))) {
      return null;
    }
    Duration asked = Duration.ofMillis(message.waitMillis());
    if (facts.concluded()) {
      return longer(asked, Duration.ofSeconds(5));
    }
    LeaseRecord last = facts.lastLease();
    if (facts.execution() == Execution.LEASED
        && last != null
        && last.lease().executor() != ExecutorKind.CLIENT) {
      Duration left = Duration.between(runtime.clock().instant(), last.lease().deadline());
      asked = longer(asked, left.plusSeconds(2));
    }
    return asked.isZero() || asked.isNegative() ? null : asked;
  }

  private static Duration longer(Duration a, Duration b) {
    Duration longer = a.compareTo(b) > 0 ? a : b;
    return longer.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : longer;
  }

  /** Concluded, and the session's mailbox has it: whoever is answered now finds it there. */
  private boolean conclusionOffered(CallReply now) {
    return (now.facts().concluded() && (offered || now.facts().delivery() == Delivery.ACKNOWLEDGED))
        || now.facts().execution() == Execution.OUTCOME_UNKNOWN;
  }

  private void markAcknowledged(HeldCallFacts facts, ActorRef<CallReply> replyTo, Answer answer) {
    acknowledging++;
    context.pipeToSelf(
        runtime.readSide().write(facts, lastSequenceNumber(context)),
        (done, failure) -> new AckMarked(answer, replyTo));
  }

  private Effect<HeldCallEvent, HeldCallFacts> onAckMarked(HeldCallFacts facts, AckMarked marked) {
    acknowledging = Math.max(0, acknowledging - 1);
    marked.replyTo().tell(reply(facts, marked.answer()));
    return Effect().none();
  }

  private CallReply reply(HeldCallFacts facts, Answer answer) {
    return new CallReply(
        lastSequenceNumber(context), facts, answer, facts.now(runtime.clock().instant()));
  }

  private Effect<HeldCallEvent, HeldCallFacts> onRead(HeldCallFacts facts, Read read) {
    if (lagsBehindPolicy(facts)) {
      askPolicy(facts, new Execute(new HeldCallCommand.Tick(), 0, read.replyTo()));
      return Effect().none();
    }
    PolicyInForce known = runtime.policies().lastKnown(org(facts, new HeldCallCommand.Tick()));
    if (!Enabling.evidenceOfRevokedKeys(facts, knowing(known)).isEmpty()) {
      // What is shown as valid counts: a key that was revoked takes its evidence along first.
      return onExecute(facts, new Execute(new HeldCallCommand.Tick(), 0, read.replyTo()));
    }
    answerRead(facts, read);
    return Effect().none();
  }

  private void answerRead(HeldCallFacts facts, Read read) {
    CallReply now = reply(facts, new Answer.Stands());
    if (leaveLooks > 0
        || read.waitMillis() <= 0
        || read.since() < 0
        || now.sequence() > read.since()) {
      read.replyTo().tell(now);
      return;
    }
    long waiter =
        waiters.add(new Answer.Stands(), later -> later.sequence() > read.since(), read.replyTo());
    timers.startSingleTimer(
        "wait-" + waiter, new WaitOver(waiter), Duration.ofMillis(read.waitMillis()));
  }

  /**
   * Whether this node has seen a newer policy than the one that an undecided call was judged by.
   */
  private boolean lagsBehindPolicy(HeldCallFacts facts) {
    Ruling ruling = facts.ruling();
    return ruling != null
        && facts.undecided()
        && runtime.policies().lastKnown(facts.requireSpec().proposer().org()).epoch()
            > ruling.epoch();
  }

  private Effect<HeldCallEvent, HeldCallFacts> onDispatched(
      HeldCallFacts facts, Dispatched dispatched) {
    running.remove(dispatched.leaseId());
    return own(
        facts, new HeldCallCommand.ReportDispatch(dispatched.leaseId(), dispatched.report()));
  }

  private Effect<HeldCallEvent, HeldCallFacts> onReadBack(HeldCallFacts facts, ReadBackCame came) {
    if (came.report() instanceof ReadBackReport.CannotTell cannot) {
      cannotTell.add(came.leaseId());
      LOG.info("{}: the read-back cannot tell: {}", heldId, cannot.reason());
    }
    return own(
        facts, new HeldCallCommand.ReportReadBack(came.leaseId(), came.askedAt(), came.report()));
  }

  private Effect<HeldCallEvent, HeldCallFacts> onWatch(HeldCallFacts facts, Watch watch) {
    Watched now = Settlement.of(heldId, facts, watch.child());
    if (now.state() == DependencyState.PENDING && !now.absent()) {
      watchers.put(watch.watcher(), watch.child());
    }
    work.tell(watch.watcher(), now);
    return Effect().none();
  }

  private void tellWatchers(HeldCallFacts facts, List<HeldCallEvent> events) {
    boolean other = events.stream().anyMatch(HeldCallEvent.CallEdited.class::isInstance);
    if (events.isEmpty() || watchers.isEmpty() || (!facts.concluded() && !other)) {
      return;
    }
    watchers.forEach(
        (watcher, child) -> {
          Watched now = Settlement.of(heldId, facts, child);
          if (now.state() != DependencyState.PENDING || other) {
            work.tell(watcher, now);
          }
        });
  }

  private Effect<HeldCallEvent, HeldCallFacts> onWatched(HeldCallFacts facts, Watched watched) {
    DependencyState state = watched.state();
    if (watched.absent() && watched.child()) {
      Instant announced = facts.children().get(watched.heldId());
      boolean never =
          announced != null
              && runtime.clock().instant().isAfter(announced.plus(Duration.ofMinutes(1)));
      state = never ? DependencyState.SATISFIED : DependencyState.PENDING;
    }
    return own(
        facts,
        new HeldCallCommand.ReportDependency(
            watched.heldId(), state, watched.child(), watched.detail(), watched.upstream()));
  }

  /** Whoever served a call that ended ends with it, and the parent hears when that is so. */
  private Effect<HeldCallEvent, HeldCallFacts> onParentEnded(
      HeldCallFacts facts, ParentEnded ended) {
    Watched now = Settlement.of(heldId, facts, true);
    if (now.state() == DependencyState.PENDING && !now.absent()) {
      watchers.put(ended.parent(), true);
      return own(facts, new HeldCallCommand.EndWithParent(ended.parent(), ended.how()));
    }
    work.tell(ended.parent(), now);
    return Effect().none();
  }

  private Effect<HeldCallEvent, HeldCallFacts> onOffered(HeldCallFacts facts, Offered now) {
    offered = true;
    waiters.release(reply(facts, new Answer.Stands()));
    return Effect().none();
  }

  private Effect<HeldCallEvent, HeldCallFacts> onWaitOver(HeldCallFacts facts, WaitOver over) {
    waiters.timeOver(over.waiter(), reply(facts, new Answer.Stands()));
    return Effect().none();
  }

  private Effect<HeldCallEvent, HeldCallFacts> onIdle(HeldCallFacts facts, Idle idle) {
    boolean busy =
        heldBack > 0
            || !running.isEmpty()
            || work.routes().underWay()
            || (facts.concluded() && !offered && facts.delivery() == Delivery.PENDING);
    readOrWritten(facts);
    if (!busy) {
      waiters.releaseAll(reply(facts, new Answer.Stands()));
      shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
    }
    return Effect().none();
  }

  /**
   * Ends when nothing is under way any more: no command waits for the policy, no tool runs. Whoever
   * waits for something to come is answered at once.
   */
  private Effect<HeldCallEvent, HeldCallFacts> onLeave(HeldCallFacts facts, Leave leave) {
    waiters.releaseAll(reply(facts, new Answer.Stands()));
    LeaseRecord last = facts.lastLease();
    boolean toolRuns =
        facts.execution() == Execution.LEASED
            && last != null
            && last.lease().executor() != ExecutorKind.CLIENT
            && running.contains(last.lease().leaseId());
    leaveLooks++;
    if (leaveLooks > LEAVE_LOOKS
        || (heldBack == 0 && acknowledging == 0 && !toolRuns && !work.routes().underWay())) {
      return Effect().stop();
    }
    timers.startSingleTimer("leave", new Leave(), LEAVE_LOOK);
    return Effect().none();
  }

  private void log(HeldCallFacts facts, List<HeldCallEvent> events) {
    for (HeldCallEvent event : events) {
      if (event instanceof HeldCallEvent.LateEffectReported late) {
        LOG.error(
            "ALARM {}: an effect was reported under lease {} that counted as without effect:"
                + " {}; no further lease is granted, an operator must resolve it",
            heldId,
            late.leaseId(),
            late.detail());
      } else if (event instanceof HeldCallEvent.OutcomeBecameUnknown unknown) {
        Lease lease = java.util.Objects.requireNonNull(facts.lease(unknown.leaseId())).lease();
        LOG.warn("{}: outcome of lease {} unknown: {}", heldId, lease.token(), unknown.reason());
      } else if (LOG.isDebugEnabled()) {
        LOG.debug("{}: {}", heldId, event.getClass().getSimpleName());
      }
    }
  }
}
