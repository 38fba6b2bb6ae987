package dev.heldcall.kernel.policybook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.heldcall.kernel.policy.PolicyLayers;
import dev.heldcall.kernel.readside.JournalReader.RawEvent;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.jspecify.annotations.Nullable;

/**
 * Answers what policy is in force, one actor a node. Every answer comes from a read of the database
 * that began after its request came (the design, rule 6): a policy entity on the wrong side of a
 * partition would answer from an old memory, the database cannot.
 *
 * <p>While one read is in flight, further requests wait; the read that begins when it ends serves
 * all of them, for all their organizations. So a burst of leases costs two reads, not one each.
 *
 * <p>A read that takes longer than the time limit is given up and its requests fail. Its thread may
 * still hang: at most {@value #MAX_RUNNING} reads run at a time, those given up included.
 */
public final class PolicyReader extends AbstractBehavior<PolicyReader.Command> {

  /** How many requests may wait for the next read; more fail at once. */
  public static final int MAX_WAITING = 10_000;

  /** How long a read may take. */
  public static final Duration TIME_LIMIT = Duration.ofSeconds(2);

  private static final int MAX_RUNNING = 4;
  private static final int MAX_ORGANIZATIONS = PolicyCache.MAX_ORGANIZATIONS;

  private final TimerScheduler<Command> timers;
  private final BookReading reading;
  private final Executor executor;
  private final PolicyCache cache;
  private final PolicyLayers base;
  private final Duration timeLimit;

  private Book floor = Book.EMPTY;
  private final Map<String, OrganizationPolicy> known = new LinkedHashMap<>(16, 0.75f, true);
  private List<Read> waiting = new ArrayList<>();
  private @Nullable Batch current;
  private int running;
  private long batches;

  private PolicyReader(
      ActorContext<Command> context,
      TimerScheduler<Command> timers,
      BookReading reading,
      PolicyLayers base,
      Executor executor,
      PolicyCache cache,
      Duration timeLimit) {
    super(context);
    this.timers = timers;
    this.reading = reading;
    this.base = base;
    this.executor = executor;
    this.cache = cache;
    this.timeLimit = timeLimit;
  }

  /**
   * The behavior.
   *
   * @param journal the database
   * @param decoder what an event's bytes say; throws if it does not know them
   * @param base this node's floor and tools, compiled, without an organization
   * @param executor where the database is waited for, at least {@value #MAX_RUNNING} threads
   * @param cache is told of every snapshot
   */
  public static Behavior<Command> create(
      PolicyJournal journal,
      Function<RawEvent, PolicyBookEvent> decoder,
      PolicyLayers base,
      Executor executor,
      PolicyCache cache) {
    return create(journal, decoder, base, executor, cache, TIME_LIMIT);
  }

  /** The same with another time limit. */
  static Behavior<Command> create(
      PolicyJournal journal,
      Function<RawEvent, PolicyBookEvent> decoder,
      PolicyLayers base,
      Executor executor,
      PolicyCache cache,
      Duration timeLimit) {
    BookReading reading = new BookReading(journal, decoder, base);
    Behavior<Command> reader =
        Behaviors.setup(
            context ->
                Behaviors.withTimers(
                    timers ->
                        new PolicyReader(
                            context, timers, reading, base, executor, cache, timeLimit)));
    return Behaviors.supervise(reader).onFailure(SupervisorStrategy.restart());
  }

  /** What the reader is asked. */
  public sealed interface Command {}

  /** Asks for the policy in force; always answered, within twice the time limit. */
  public record Read(String org, ActorRef<PolicyRead> replyTo) implements Command {}

  private record Ended(long id, BookReading.@Nullable Result result, @Nullable Throwable failure)
      implements Command {}

  private record TimedOut(long id) implements Command {}

  private record Batch(long id, List<Read> reads) {}

  /**
   * What was read: exactly one of the two is there.
   *
   * @param snapshot the policy in force
   * @param failure why it could not be found out; then nothing may be released
   * @param mayPass whether the failure is the database's and may pass; what cannot be understood
   *     stays so
   */
  public record PolicyRead(
      @Nullable PolicySnapshot snapshot, @Nullable String failure, boolean mayPass) {
    public PolicyRead {
      if ((snapshot == null) == (failure == null)) {
        throw new IllegalArgumentException("expected either a snapshot or a failure");
      }
    }
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(Read.class, this::onRead)
        .onMessage(Ended.class, this::onEnded)
        .onMessage(TimedOut.class, this::onTimedOut)
        .build();
  }

  private Behavior<Command> onRead(Read read) {
    if (waiting.size() >= MAX_WAITING) {
      fail(List.of(read), "too many requests wait for the policy to be read");
      return this;
    }
    waiting.add(read);
    startNext();
    return this;
  }

  private void startNext() {
    if (current != null || waiting.isEmpty()) {
      return;
    }
    Batch batch = new Batch(++batches, waiting);
    waiting = new ArrayList<>();
    if (running >= MAX_RUNNING) {
      fail(batch.reads(), "the database does not answer; " + running + " reads of it hang");
      return;
    }
    Set<String> organizations = new LinkedHashSet<>();
    batch.reads().forEach(read -> organizations.add(read.org()));
    CompletableFuture<BookReading.Result> result;
    try {
      result = begin(organizations);
    } catch (RejectedExecutionException e) {
      fail(batch.reads(), "no thread is free to read the policy");
      return;
    }
    current = batch;
    running++;
    timers.startSingleTimer(batch.id(), new TimedOut(batch.id()), timeLimit);
    getContext().pipeToSelf(result, (read, failure) -> new Ended(batch.id(), read, failure));
  }

  private CompletableFuture<BookReading.Result> begin(Set<String> organizations) {
    Book floorBefore = floor;
    Map<String, OrganizationPolicy> before = new HashMap<>();
    for (String organization : organizations) {
      OrganizationPolicy policy = known.get(organization);
      if (policy != null) {
        before.put(organization, policy);
      }
    }
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return reading.read(floorBefore, before, organizations);
          } catch (SQLException e) {
            throw new CompletionException(e);
          }
        },
        executor);
  }

  private Behavior<Command> onEnded(Ended ended) {
    running--;
    Batch batch = current;
    if (batch == null || batch.id() != ended.id()) {
      return this;
    }
    current = null;
    timers.cancel(batch.id());
    if (ended.result() == null) {
      fail(batch.reads(), "the policy cannot be read: " + reason(ended.failure()));
    } else {
      answer(batch, ended.result());
    }
    startNext();
    return this;
  }

  private Behavior<Command> onTimedOut(TimedOut timedOut) {
    Batch batch = current;
    if (batch != null && batch.id() == timedOut.id()) {
      current = null;
      fail(batch.reads(), "the policy could not be read within " + timeLimit.toSeconds() + " s");
      startNext();
    }
    return this;
  }

  private void answer(Batch batch, BookReading.Result result) {
    floor = result.floor();
    result.policies().forEach(this::remember);
    Map<String, PolicyRead> answers = new HashMap<>();
    for (Read read : batch.reads()) {
      read.replyTo().tell(answers.computeIfAbsent(read.org(), org -> answerFor(org, result)));
    }
  }

  private void remember(String organization, OrganizationPolicy policy) {
    known.put(organization, policy);
    if (known.size() > MAX_ORGANIZATIONS) {
      known.remove(known.keySet().iterator().next());
    }
  }

  private PolicyRead answerFor(String organization, BookReading.Result result) {
    OrganizationPolicy policy = result.policies().get(organization);
    if (policy == null || policy.layers() == null) {
      String problem = policy == null ? result.failures().get(organization) : policy.problem();
      getContext().getLog().warn("The policy of '{}' is unusable: {}", organization, problem);
      return new PolicyRead(null, "the policy is unusable: " + problem, false);
    }
    long floorRevision = floor.state().revision();
    long documentRevision = policy.book().state().revision();
    PolicySnapshot snapshot =
        new PolicySnapshot(
            organization,
            floorRevision + documentRevision,
            policy.layers(),
            base.floorDigest().equals(floor.state().floor()),
            policy.layers().organization().orElseGet(PolicyReader::noRules),
            floorRevision,
            documentRevision);
    cache.put(snapshot);
    return new PolicyRead(snapshot, null, false);
  }

  private static JsonNode noRules() {
    return JsonNodeFactory.instance.objectNode().set("rules", JsonNodeFactory.instance.arrayNode());
  }

  private void fail(List<Read> reads, String why) {
    getContext().getLog().warn("{} reads of the policy failed: {}", reads.size(), why);
    PolicyRead failed = new PolicyRead(null, why, true);
    reads.forEach(read -> read.replyTo().tell(failed));
  }

  private static String reason(@Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
  }
}
