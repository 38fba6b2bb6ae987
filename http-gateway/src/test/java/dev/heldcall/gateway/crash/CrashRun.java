package dev.heldcall.gateway.crash;

import dev.heldcall.gateway.crash.Client.NodeGoneException;
import dev.heldcall.kernel.store.TestDatabases.Database;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Crashes on one database. They are chained, so that a crash costs one start: the process that a
 * story has ended on is the one that the next story begins on, and dies in.
 */
final class CrashRun implements AutoCloseable {

  private static final AtomicInteger STORIES = new AtomicInteger();

  /** Where a process dies first that is to die again as it comes back. */
  private static final List<String> FIRST_CRASHES =
      List.of(
          "1 ExecutorActor.say/tell:before",
          "20 HeldCallEntity.turn/thenRun:durable",
          "1 KernelToolPort.dispatch/change:after",
          "5 ReadSideTables.write/inTransaction:before",
          "3 ExchangeRun.exchanged:left",
          "1 SessionEntity.link/thenReply:durable",
          "9 HeldCallEntity.turn/persist:after");

  /** What is reached only with a story's extras. */
  private static final List<String> EXTRA =
      List.of("SessionEntity.link/reply", "PolicyReader.fail/", "HeldCallEntity.answer/tell:");

  /** What a node says that a machine with too much to do has kept from starting. */
  private static final List<String> TOO_SLOW = List.of("did not come up in time");

  private final Engine engine;
  private final WovenProduct product;
  private final Path folder;
  private final List<String> jvm;
  private final ToolLedger tools = new ToolLedger();
  private final Reached reached = new Reached();
  private CrashNode.Start start;
  private @Nullable CrashNode node;
  private @Nullable Story lastStory;
  private int databases;
  private int secondCrashes;

  /**
   * Crashes of a woven product.
   *
   * @param jvm more options of each process's JVM
   */
  CrashRun(Engine engine, WovenProduct product, List<String> jvm) {
    this.engine = engine;
    this.product = product;
    this.jvm = jvm;
    this.folder = product.folder().resolve(engine.name());
    this.start = onFreshDatabase();
  }

  private CrashNode.Start onFreshDatabase() {
    Path own = folder.resolve("database-" + databases++);
    try (InputStream text = CrashRun.class.getResourceAsStream("/crash/node.conf")) {
      Files.createDirectories(own);
      Path config = own.resolve("node.conf");
      Files.write(config, Objects.requireNonNull(text).readAllBytes());
      Database database = engine.fresh(own.resolve("data"));
      return new CrashNode.Start(
          product,
          config,
          CrashNode.environment(database, tools.uri()),
          jvm,
          own.resolve("node.log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The points that were reached so far. */
  Reached reached() {
    return reached;
  }

  /**
   * Tells the story to a process on an empty database, and to nobody's harm; then ends the process
   * as SIGTERM does, so that all of its life was seen.
   *
   * @param extras whether the parts are told that take long and bring few points
   * @return what is not as it must be
   */
  List<String> undisturbed(boolean extras) throws InterruptedException {
    CrashNode first = started(start);
    reached.add(Phase.FIRST_START, first.hits());
    Story story = newStory(extras);
    finish(story, first);
    Checks.Result result = checked(first, story);
    reached.add(Phase.STORY, first.hits());
    List<String> wrong = new ArrayList<>(result.wrong());
    try (Client client = new Client(first.uri())) {
      CompletableFuture<Client.Got> waiting = story.waitAt(client);
      reached.add(Phase.STOP, first.end());
      if (waiting.join().status() != 200) {
        wrong.add("who waited as the node left was answered " + waiting.join());
      }
    }
    node = null;
    return wrong;
  }

  /** Crashes once, and sees what comes of it. */
  Outcome crash(CrashCase what) throws InterruptedException {
    return switch (what.phase()) {
      case STORY -> inTheStory(what);
      case RESTART -> again(what);
      case FIRST_START -> atTheFirstStart(what);
      case STOP -> atTheEnd(what);
    };
  }

  private Outcome inTheStory(CrashCase what) throws InterruptedException {
    Story story = newStory(EXTRA.stream().anyMatch(what.point()::startsWith));
    CrashNode alive = running();
    alive.arm(what.times(), what.form());
    boolean died = !story.tell(alive) || !alive.disarm();
    CrashNode next = died ? restarted(alive, what.form()) : alive;
    return ended(what, died, story, next);
  }

  private Outcome again(CrashCase what) throws InterruptedException {
    Story story = newStory(false);
    CrashNode alive = running();
    String first = FIRST_CRASHES.get(secondCrashes++ % FIRST_CRASHES.size());
    int space = first.indexOf(' ');
    alive.arm(Integer.parseInt(first.substring(0, space)), first.substring(space + 1));
    if (!story.tell(alive)) {
      expectHalt(alive, first.substring(space + 1));
    } else {
      alive.close();
      var _ = alive.awaitEnd();
    }
    CrashNode second = CrashNode.start(start.with("-Dcrash.at=" + what.order()));
    boolean died = !second.awaitReady() || !story.tell(second) || !second.disarm();
    CrashNode next = died ? restarted(second, what.form()) : second;
    return ended(what, died, story, next);
  }

  private Outcome atTheFirstStart(CrashCase what) throws InterruptedException {
    CrashNode.Start before = start;
    CrashNode aside = node;
    start = onFreshDatabase();
    CrashNode first = CrashNode.start(start.with("-Dcrash.at=" + what.order()));
    boolean died = !first.awaitReady() || !first.disarm();
    CrashNode next = died ? restarted(first, what.form()) : first;
    Outcome outcome = ended(what, died, newStory(false), next);
    next.close();
    start = before;
    node = aside;
    return outcome;
  }

  private Outcome atTheEnd(CrashCase what) throws InterruptedException {
    CrashNode alive = running();
    Story story = lastStory;
    if (story == null) {
      story = newStory(false);
      finish(story, alive);
    }
    alive.arm(what.times(), what.form());
    reached.add(Phase.STOP, alive.end());
    boolean died = what.form().equals(alive.haltedAt());
    CrashNode next = started(start);
    node = next;
    Checks.Result result = checked(next, story);
    return new Outcome(what, died, story.answered(), 0, result.recovered(), result.wrong());
  }

  /** Lets the story end at the process, and holds what stands against what was said. */
  private Outcome ended(CrashCase what, boolean died, Story story, CrashNode next)
      throws InterruptedException {
    node = next;
    finish(story, next);
    Checks.Result result = checked(next, story);
    reached.add(died ? Phase.RESTART : Phase.STORY, next.hits());
    lastStory = story;
    return new Outcome(
        what, died, story.answered(), story.lost(), result.recovered(), result.wrong());
  }

  private Story newStory(boolean extras) {
    Journal journal = new Journal(start.environment());
    return new Story(STORIES.incrementAndGet(), tools, extras ? journal : null);
  }

  private static void finish(Story story, CrashNode at) throws InterruptedException {
    if (!story.tell(at)) {
      throw new AssertionError("a node died that nobody has killed: " + at.said());
    }
  }

  private static Checks.Result checked(CrashNode at, Story story) {
    try {
      return Checks.of(at, story);
    } catch (NodeGoneException e) {
      throw new AssertionError("a node died that nobody has killed: " + at.said(), e);
    }
  }

  private CrashNode running() throws InterruptedException {
    CrashNode now = node;
    if (now == null) {
      now = started(start);
      node = now;
      var _ = now.hits();
    }
    return now;
  }

  private CrashNode restarted(CrashNode dead, String point) throws InterruptedException {
    expectHalt(dead, point);
    return started(start);
  }

  private static void expectHalt(CrashNode dead, String point) throws InterruptedException {
    int exit = dead.awaitEnd();
    if (exit != CrashPoints.EXIT || !point.equals(dead.haltedAt())) {
      throw new AssertionError(
          "it ended with "
              + exit
              + " at "
              + dead.haltedAt()
              + ", not at "
              + point
              + ": "
              + dead.said());
    }
  }

  /**
   * A node gives its start up after a minute, or if the policy cannot be read within two seconds;
   * whoever looks after it then starts it again.
   */
  private static CrashNode started(CrashNode.Start with) throws InterruptedException {
    CrashNode started = CrashNode.start(with);
    boolean ready = started.awaitReady();
    if (!ready && TOO_SLOW.stream().anyMatch(started.said()::contains)) {
      started = CrashNode.start(with);
      ready = started.awaitReady();
    }
    if (!ready) {
      throw new AssertionError("the node does not start: " + started.said());
    }
    return started;
  }

  /**
   * Takes the last event of one call of the last story out of the journal, as if it had been
   * acknowledged before it was written.
   *
   * @return what is not as it must be then
   */
  List<String> losing(Ledger.What what) throws InterruptedException {
    Story story = lastStory;
    if (story == null) {
      throw new IllegalStateException("no story was told");
    }
    pause();
    Ledger.Call call =
        story.ledger().said().stream()
            .filter(said -> said.what() == what)
            .findFirst()
            .orElseThrow()
            .call();
    new Journal(start.environment()).loseLastEventOf(call.heldId());
    return checked(running(), story).wrong();
  }

  /** Ends the process that runs, so that it costs nothing until the next crash. */
  void pause() throws InterruptedException {
    CrashNode now = node;
    node = null;
    if (now != null) {
      now.close();
      var _ = now.awaitEnd();
    }
  }

  /** After something went wrong: whatever runs is ended, and an empty database is next. */
  void abandon() throws InterruptedException {
    pause();
    lastStory = null;
    start = onFreshDatabase();
  }

  /** Where the processes of this run say what goes wrong. */
  List<Path> logs() {
    List<Path> logs = new ArrayList<>();
    for (int i = 0; i < databases; i++) {
      logs.add(folder.resolve("database-" + i).resolve("node.log"));
    }
    return logs;
  }

  @Override
  public void close() {
    CrashNode now = node;
    if (now != null) {
      now.close();
    }
    tools.close();
  }
}
