package dev.heldcall.kernel.policybook;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.codec.KernelMessage;
import dev.heldcall.kernel.policy.PolicyDocument;
import dev.heldcall.kernel.policybook.PolicyBookEvent.DocumentAdopted;
import dev.heldcall.kernel.policybook.PolicyBookEvent.FloorAdopted;
import dev.heldcall.plugin.api.Digest;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.persistence.typed.PersistenceId;
import org.apache.pekko.persistence.typed.javadsl.CommandHandler;
import org.apache.pekko.persistence.typed.javadsl.Effect;
import org.apache.pekko.persistence.typed.javadsl.EventHandler;
import org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior;

/**
 * The writer of one policy book: the floor's, or one organization's; what is meant for the other
 * kind of book is left unhandled. Every reply that tells of a change follows its journal write.
 * What it answers without a write comes from memory and may be old on the wrong side of a
 * partition: nothing is released on it, for that there is {@link PolicyReader}.
 */
public final class PolicyBookEntity
    extends EventSourcedBehavior<PolicyBookEntity.Command, PolicyBookEvent, PolicyBookState> {

  /** How sharding knows the books. */
  public static final EntityTypeKey<Command> TYPE_KEY =
      EntityTypeKey.create(Command.class, "policy-book");

  /** The name of the floor's book. */
  public static final String FLOOR = "_floor";

  private static final Duration IDLE_AFTER = Duration.ofMinutes(2);

  private final ActorContext<Command> context;
  private final ActorRef<ClusterSharding.ShardCommand> shard;
  private final String name;
  private final Clock clock;

  private PolicyBookEntity(
      ActorContext<Command> context,
      ActorRef<ClusterSharding.ShardCommand> shard,
      String name,
      Clock clock) {
    super(
        PersistenceId.ofUniqueId(persistenceId(name)),
        SupervisorStrategy.restartWithBackoff(Duration.ofMillis(200), Duration.ofSeconds(10), 0.2));
    this.context = context;
    this.shard = shard;
    this.name = name;
    this.clock = clock;
  }

  /**
   * The behavior of one book.
   *
   * @param name {@link #FLOOR}, or what {@link #nameOf} makes of an organization
   * @param shard whom to ask for passivation
   * @param clock stamps the events
   */
  public static Behavior<Command> create(
      String name, ActorRef<ClusterSharding.ShardCommand> shard, Clock clock) {
    return Behaviors.setup(
        context -> {
          context.setReceiveTimeout(IDLE_AFTER, Internal.IDLE);
          return new PolicyBookEntity(context, shard, name, clock);
        });
  }

  /** What {@link ClusterSharding#init} takes. */
  public static Entity<Command, ?> sharded(Clock clock) {
    return Entity.of(TYPE_KEY, context -> create(context.getEntityId(), context.getShard(), clock))
        .withStopMessage(Internal.STOP);
  }

  /**
   * The name of an organization's book: the organization itself. One that begins with an underscore
   * gets a second one, so that no organization is taken for the floor.
   */
  public static String nameOf(String organization) {
    return organization.startsWith("_") ? "_" + organization : organization;
  }

  /** Where the journal keeps the book of that name. */
  public static String persistenceId(String name) {
    return "policy-book|" + name;
  }

  /** What a book is asked. */
  public sealed interface Command extends KernelMessage {}

  /**
   * Asks that a floor be the cluster's. The first floor is adopted, and another one only when the
   * asker is alone in the cluster (the design, rule 8): whoever then reads another digest than its
   * own has joined later.
   *
   * @param alone whether the asker is the cluster's only node
   */
  public record AdoptFloor(Digest floor, boolean alone, ActorRef<FloorState> replyTo)
      implements Command {}

  /**
   * Asks that what configuration has for the organization be its document. It is adopted unless
   * configuration had the same when it was last adopted from there: governed changes outlive a
   * restart, a changed configuration replaces them.
   *
   * @param configured the configured document's digest
   */
  public record SeedDocument(JsonNode document, Digest configured, ActorRef<Seeded> replyTo)
      implements Command {}

  /**
   * Asks for a governed change. The same key again is answered as before.
   *
   * @param key names this change for good: the idempotency key of the call that makes it
   * @param expectedRevision the revision it was proposed on
   * @param heldId the call that makes it
   */
  public record ChangeDocument(
      String key,
      long expectedRevision,
      JsonNode document,
      String heldId,
      ActorRef<ChangeReply> replyTo)
      implements Command {}

  /** Asks whether the change of this key was made. */
  public record LookUp(String key, ActorRef<LookUpReply> replyTo) implements Command {}

  private enum Internal implements Command {
    IDLE,
    STOP
  }

  /**
   * The floor in force.
   *
   * @param adopted the cluster's digest; another than the asker's means: not yours
   */
  public record FloorState(Digest adopted, long revision) implements KernelMessage {}

  /**
   * The document's revision in force.
   *
   * @param adopted whether this request made it
   */
  public record Seeded(long revision, boolean adopted) implements KernelMessage {}

  /** What became of a governed change. */
  public sealed interface ChangeReply extends KernelMessage {}

  /** It is in force since that revision. */
  public record Changed(long revision) implements ChangeReply {}

  /** It was proposed on a revision that is no longer current; nothing changed. */
  public record StaleBase(long currentRevision) implements ChangeReply {}

  /**
   * The document does not load; nothing changed.
   *
   * @param problem one line a problem, each with its place
   */
  public record Unusable(String problem) implements ChangeReply {}

  /** Whether a change was made. */
  public sealed interface LookUpReply extends KernelMessage {}

  /** It was, as that revision. */
  public record Applied(long revision) implements LookUpReply {}

  /** It was not. */
  public record NotApplied() implements LookUpReply {}

  @Override
  public PolicyBookState emptyState() {
    return PolicyBookState.EMPTY;
  }

  @Override
  public EventHandler<PolicyBookState, PolicyBookEvent> eventHandler() {
    return PolicyBookState::apply;
  }

  @Override
  public CommandHandler<Command, PolicyBookEvent, PolicyBookState> commandHandler() {
    return (state, command) ->
        switch (command) {
          case AdoptFloor adopt -> adopt(state, adopt);
          case SeedDocument seed -> seed(state, seed);
          case ChangeDocument change -> change(state, change);
          case LookUp lookUp -> lookUp(state, lookUp);
          case Internal.IDLE -> {
            shard.tell(new ClusterSharding.Passivate<>(context.getSelf()));
            yield Effect().none();
          }
          case Internal.STOP -> Effect().stop();
        };
  }

  private Effect<PolicyBookEvent, PolicyBookState> adopt(
      PolicyBookState state, AdoptFloor command) {
    if (!name.equals(FLOOR)) {
      return Effect().unhandled();
    }
    boolean adopts =
        state.floor() == null || (command.alone() && !state.floor().equals(command.floor()));
    if (!adopts) {
      return Effect().reply(command.replyTo(), floorState(state, command.floor()));
    }
    var adopted = new FloorAdopted(state.revision() + 1, command.floor(), clock.instant());
    context.getLog().info("The floor {} is revision {}", adopted.digest(), adopted.revision());
    return Effect()
        .persist(List.of(adopted))
        .thenReply(command.replyTo(), after -> floorState(after, command.floor()));
  }

  private static FloorState floorState(PolicyBookState state, Digest asked) {
    return new FloorState(state.floor() == null ? asked : state.floor(), state.revision());
  }

  private Effect<PolicyBookEvent, PolicyBookState> seed(
      PolicyBookState state, SeedDocument command) {
    if (name.equals(FLOOR)) {
      return Effect().unhandled();
    }
    if (command.configured().equals(state.configured())) {
      return Effect().reply(command.replyTo(), new Seeded(state.revision(), false));
    }
    var adopted =
        new DocumentAdopted(
            state.revision() + 1,
            command.document(),
            PolicyBookEvent.CONFIGURATION,
            null,
            command.configured(),
            clock.instant());
    context
        .getLog()
        .info(
            "The configured policy document of '{}' is {}; it is adopted as revision {}",
            name,
            state.configured() == null ? "the first" : "another one than before",
            adopted.revision());
    return Effect()
        .persist(List.of(adopted))
        .thenReply(command.replyTo(), after -> new Seeded(after.revision(), true));
  }

  private Effect<PolicyBookEvent, PolicyBookState> change(
      PolicyBookState state, ChangeDocument command) {
    if (name.equals(FLOOR)) {
      return Effect().unhandled();
    }
    OptionalLong made = state.changedBy(command.key());
    if (made.isPresent()) {
      return Effect().reply(command.replyTo(), new Changed(made.getAsLong()));
    }
    if (command.expectedRevision() != state.revision()) {
      return Effect().reply(command.replyTo(), new StaleBase(state.revision()));
    }
    if (PolicyDocument.parse(command.document(), "organization")
        instanceof PolicyDocument.Refused refused) {
      return Effect().reply(command.replyTo(), new Unusable(described(refused)));
    }
    var adopted =
        new DocumentAdopted(
            state.revision() + 1,
            command.document(),
            command.heldId(),
            command.key(),
            null,
            clock.instant());
    return Effect()
        .persist(List.of(adopted))
        .thenReply(command.replyTo(), after -> new Changed(after.revision()));
  }

  private static String described(PolicyDocument.Refused refused) {
    return refused.problems().stream()
        .map(problem -> refused.where() + " " + problem.pointer() + ": " + problem.message())
        .collect(Collectors.joining("\n"));
  }

  private Effect<PolicyBookEvent, PolicyBookState> lookUp(PolicyBookState state, LookUp command) {
    OptionalLong made = state.changedBy(command.key());
    LookUpReply reply = made.isPresent() ? new Applied(made.getAsLong()) : new NotApplied();
    return Effect().reply(command.replyTo(), reply);
  }
}
