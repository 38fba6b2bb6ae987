package dev.heldcall.kernel.api;

import dev.heldcall.config.HeldcallSettings;
import dev.heldcall.kernel.codec.JournalCodec;
import dev.heldcall.kernel.deliver.MailboxItem;
import dev.heldcall.kernel.entity.HeldCallEntity;
import dev.heldcall.kernel.entity.HeldCallRuntime;
import dev.heldcall.kernel.execute.PermitSigner;
import dev.heldcall.kernel.execute.ReadBackActor;
import dev.heldcall.kernel.journal.ClusterContact;
import dev.heldcall.kernel.lease.LeaseRules;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.policybook.PolicyBookEntity;
import dev.heldcall.kernel.policybook.PolicyBookEvent;
import dev.heldcall.kernel.policybook.PolicyCache;
import dev.heldcall.kernel.policybook.PolicyJournal;
import dev.heldcall.kernel.policybook.PolicyReader;
import dev.heldcall.kernel.readside.CallIndex;
import dev.heldcall.kernel.readside.DatabaseClock;
import dev.heldcall.kernel.readside.JournalReader;
import dev.heldcall.kernel.readside.Mailbox;
import dev.heldcall.kernel.readside.MailboxBell;
import dev.heldcall.kernel.readside.ReadSideTables;
import dev.heldcall.kernel.readside.ReadSideWriter;
import dev.heldcall.kernel.readside.RouteTable;
import dev.heldcall.kernel.readside.WitnessClaims;
import dev.heldcall.kernel.route.WitnessProviders;
import dev.heldcall.kernel.route.WitnessRouteActor;
import dev.heldcall.kernel.session.SessionEntity;
import dev.heldcall.kernel.store.Batches;
import dev.heldcall.kernel.store.JdbcExecutor;
import dev.heldcall.kernel.store.MemberLock;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.kernel.store.StoreSettings;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.typed.Cluster;

/** A running node of the kernel: store, actor system, entities, read side, sweepers. */
public final class Kernel {

  private static final int POOL_SIZE = 6;
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final long LOOK_MILLIS = 20;
  private static final long LAST_SECONDS = 20;

  private final ActorSystem<Void> system;
  private final Store store;
  private final JdbcExecutor jdbc;
  private final ReadSideWriter readSide;
  private final Batches<Mailbox.Listing, List<Mailbox.Item>> mailboxes;
  private final MemberLock members;
  private final WitnessProviders witnesses;
  private final HeldCalls calls;

  private Kernel(
      ActorSystem<Void> system,
      Store store,
      JdbcExecutor jdbc,
      ReadSideWriter readSide,
      Batches<Mailbox.Listing, List<Mailbox.Item>> mailboxes,
      MemberLock members,
      WitnessProviders witnesses,
      HeldCalls calls) {
    this.system = system;
    this.store = store;
    this.jdbc = jdbc;
    this.readSide = readSide;
    this.mailboxes = mailboxes;
    this.members = members;
    this.witnesses = witnesses;
    this.calls = calls;
  }

  /**
   * Starts a node. The stage completes once the node is up and has its policies; it fails if that
   * takes over a minute.
   *
   * @throws PolicyRefusedException if a policy document does not load
   * @throws WitnessesRefusedException if a witness provider cannot be made
   * @throws dev.heldcall.kernel.store.StoreException if the database cannot be used
   */
  public static CompletionStage<Kernel> start(HeldcallSettings settings) {
    return start(settings, Clock.systemUTC());
  }

  /** Starts a node that goes by {@code clock}. */
  public static CompletionStage<Kernel> start(HeldcallSettings settings, Clock clock) {
    return start(settings, clock, () -> Store.open(storeSettings(settings), POOL_SIZE));
  }

  /**
   * Starts a node on the store.
   *
   * @param open opens it, once the settings have been found to be good; it is the node's own
   */
  static CompletionStage<Kernel> start(
      HeldcallSettings settings, Clock clock, Supplier<Store> open) {
    PrincipalRoster roster =
        new PrincipalRoster(
            settings.auth(),
            settings.witnesses().values(),
            new NodeSignatures(settings.auth(), clock));
    PolicyLayers base = ConfiguredPolicies.load(settings, roster);
    WitnessProviders witnesses = ConfiguredWitnesses.load(settings.witnesses().values(), clock);
    Store store;
    try {
      store = open.get();
    } catch (RuntimeException e) {
      witnesses.close();
      throw e;
    }
    try {
      return boot(settings, clock, roster, base, store, witnesses);
    } catch (RuntimeException e) {
      witnesses.close();
      store.close();
      throw e;
    }
  }

  private static StoreSettings storeSettings(HeldcallSettings settings) {
    var db = settings.db();
    return db == null
        ? StoreSettings.embedded(settings.data())
        : new StoreSettings(db.url(), db.user(), db.password(), settings.data());
  }

  private static CompletionStage<Kernel> boot(
      HeldcallSettings settings,
      Clock clock,
      PrincipalRoster roster,
      PolicyLayers base,
      Store store,
      WitnessProviders witnesses) {
    JdbcExecutor jdbc = new JdbcExecutor(POOL_SIZE);
    JournalCodec codec = new JournalCodec();
    ActorSystem<Void> system =
        ActorSystem.create(
            Behaviors.empty(), KernelConfig.SYSTEM, KernelConfig.of(settings, store.pekkoConfig()));
    MemberLock members = store.memberLock();
    system.systemActorOf(
        Founding.create(settings.cluster().seeds(), members, jdbc), "founding", Props.empty());
    Leaving leaving = Leaving.of(system);
    ClusterSharding sharding = ClusterSharding.get(system);
    PolicyCache cache = new PolicyCache();
    ActorRef<PolicyReader.Command> reader =
        system.systemActorOf(
            PolicyReader.create(
                PolicyJournal.of(new JournalReader(store)),
                raw -> (PolicyBookEvent) codec.read(raw.manifest(), raw.payload()),
                base,
                jdbc,
                cache),
            "policy-reader",
            Props.empty());
    roster.signatures().keepFresh(system);
    NodePolicies policies = new NodePolicies(system, reader, cache, base, roster);
    PermitSigner signer = signer(store);
    MailboxBell bell = new MailboxBell();
    Batches<Mailbox.Listing, List<Mailbox.Item>> mailboxes =
        new Batches<>(
            "heldcall-mailboxes", 1, JdbcExecutor.MAX_WAITING, 128, new Mailbox(store)::list);
    ReadSideWriter readSide =
        new ReadSideWriter(new ReadSideTables(store, MailboxItem::of, witnesses), bell);
    RouteTable routeTable = new RouteTable(store);
    NodeRoutes routes = new NodeRoutes(routeTable, jdbc, witnesses, roster, clock);
    HeldCallRuntime runtime =
        new HeldCallRuntime(
            clock,
            policies,
            new LeaseRules.Terms(
                settings.effect().settle(),
                settings.effect().maxAttempts(),
                settings.effect().dispatchWindow(),
                Duration.ofMinutes(5)),
            name -> Optional.ofNullable(settings.tools().get(name)),
            NodeTools.port(system, settings, policies, clock),
            signer::permit,
            new EntityReadSide(readSide),
            witnesses,
            new WitnessRouteActor.Tools(
                routes, routes, clock, settings.effect().settle(), settings.http().publicUrl()),
            settings.limits().maxRefusedAttestations(),
            settings.limits().passivateAfter(),
            new ReadBackActor.Schedule(
                settings.effect().readBackPause(),
                settings.effect().readBackPauseMax(),
                settings.effect().readBackTimeout().plusSeconds(1)));
    sharding.init(
        Entity.of(
                HeldCallEntity.KEY,
                context ->
                    HeldCallEntity.create(context.getEntityId(), runtime, context.getShard()))
            .withStopMessage(HeldCallEntity.stopMessage()));
    sharding.init(PolicyBookEntity.sharded(clock));
    sharding.init(SessionEntity.sharded(clock));
    ReadSide.start(system, store, jdbc, readSide, codec, clock);
    if (!witnesses.all().isEmpty()) {
      ReadSide.startRoutes(system, routeTable, jdbc, clock, routes::withdraw);
    }
    AtomicReference<String> floor = new AtomicReference<>("the policy books do not answer yet");
    system.systemActorOf(
        FloorKeeper.create(base.floorDigest(), settings.policy().organizations(), floor),
        "floor-keeper",
        Props.empty());
    HeldCalls calls =
        calls(
            settings, clock, system, store, jdbc, codec, policies, roster, mailboxes, bell,
            readSide, signer, floor, leaving, routes);
    Kernel kernel = new Kernel(system, store, jdbc, readSide, mailboxes, members, witnesses, calls);
    return kernel.ready(System.nanoTime() + START_LIMIT.toNanos(), policies, roster, floor);
  }

  private static HeldCalls calls(
      HeldcallSettings settings,
      Clock clock,
      ActorSystem<Void> system,
      Store store,
      JdbcExecutor jdbc,
      JournalCodec codec,
      NodePolicies policies,
      PrincipalRoster roster,
      Batches<Mailbox.Listing, List<Mailbox.Item>> mailboxes,
      MailboxBell bell,
      ReadSideWriter readSide,
      PermitSigner signer,
      AtomicReference<String> floor,
      Leaving leaving,
      NodeRoutes routes) {
    ClusterSharding sharding = ClusterSharding.get(system);
    Duration ask = settings.limits().askTimeout();
    EntityClient entities = new EntityClient(sharding, ask, leaving);
    OpenCalls open =
        new OpenCalls(
            new CallIndex(store),
            jdbc,
            clock,
            settings.limits().maxOpenCallsPerPrincipal(),
            settings.limits().maxOpenCallsPerSession());
    ShardedHeldCalls calls =
        new ShardedHeldCalls(
            entities,
            new ProposalChecks(entities, sharding, ask),
            new ReadSideQueries(
                store,
                jdbc,
                mailboxes,
                bell,
                readSide,
                open,
                codec,
                clock,
                leaving,
                new ListedCalls(
                    org -> policies.lastKnown(org).epoch(),
                    heldId -> {
                      var _ = entities.facts(heldId);
                    })),
            new WitnessRequests(new WitnessClaims(store), entities, jdbc, readSide, clock, leaving),
            new PolicyRequests(policies, roster),
            new NodeStatus(
                Cluster.get(system),
                jdbc,
                new DatabaseClock(store, clock),
                floor::get,
                leaving,
                ClusterContact.of(system.classicSystem())),
            roster.signatures(),
            signer::permit,
            signer.publicKeys(),
            routes);
    routes.open(calls, entities);
    return calls;
  }

  private static PermitSigner signer(Store store) {
    try {
      return NodeKeys.signer(store);
    } catch (SQLException e) {
      throw new IllegalStateException("the permit keys could not be read: " + e.getMessage(), e);
    }
  }

  private CompletionStage<Kernel> ready(
      long until, NodePolicies policies, PrincipalRoster roster, AtomicReference<String> floor) {
    if (!floor.get().equals("ok")) {
      if (System.nanoTime() > until || floor.get().contains("takes no leases")) {
        return System.nanoTime() > until
            ? failed("the node did not come up in time: " + floor.get())
            : CompletableFuture.completedFuture(this);
      }
      return CompletableFuture.supplyAsync(
              () -> this, CompletableFuture.delayedExecutor(LOOK_MILLIS, TimeUnit.MILLISECONDS))
          .thenCompose(same -> same.ready(until, policies, roster, floor));
    }
    return FirstPolicies.read(
            roster.organizations(), policies::snapshot, () -> System.nanoTime() < until)
        .thenApply(done -> this);
  }

  private static CompletionStage<Kernel> failed(String why) {
    return CompletableFuture.failedFuture(new IllegalStateException(why));
  }

  /** The kernel's façade. */
  public HeldCalls calls() {
    return calls;
  }

  /** The actor system, for the gateway's own server. */
  public ActorSystem<?> system() {
    return system;
  }

  /**
   * Completes when the actor system has ended: after {@link #stop}, or by itself when the cluster
   * has put this node out; at the latest {@value #LAST_SECONDS} s after that. A node that was put
   * out does not come back; its process must be started again.
   */
  public CompletionStage<Done> ended() {
    CompletableFuture<Done> ended =
        system.getWhenTerminated().toCompletableFuture().thenApply(done -> done);
    org.apache.pekko.cluster.Cluster.get(system.classicSystem())
        .registerOnMemberRemoved(
            () -> {
              var _ = ended.completeOnTimeout(Done.getInstance(), LAST_SECONDS, TimeUnit.SECONDS);
            });
    return ended;
  }

  /** Leaves the cluster, hands the shards over, stops everything and closes the store. */
  public CompletionStage<Done> stop() {
    return CoordinatedShutdown.get(system)
        .runAll(CoordinatedShutdown.actorSystemTerminateReason())
        .thenApply(
            done -> {
              witnesses.close();
              readSide.close();
              mailboxes.close();
              jdbc.close();
              members.close();
              store.close();
              return Done.getInstance();
            });
  }
}
