package dev.heldcall.gateway.crash;

import dev.heldcall.gateway.crash.SitePattern.Shape;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The one list of what a crash point is put at. The first pattern that matches counts, so that a
 * tell of the read side is a step of it and not an answer.
 */
final class SitePatterns {

  private static final String KERNEL = "dev.heldcall.kernel.";
  private static final String ALL = "dev.heldcall.";
  private static final String TYPED = "org.apache.pekko.actor.typed.";
  private static final String FUTURE = "java.util.concurrent.CompletableFuture";
  private static final String PERSISTENCE = "org.apache.pekko.persistence.typed.javadsl.";
  private static final Set<String> WRITES =
      Set.of("executeUpdate", "executeLargeUpdate", "executeBatch", "executeLargeBatch", "execute");

  /** Calls. */
  static final List<SitePattern> CALLS =
      List.of(
          // what an entity writes, and what it does once that is written
          call(Kind.PERSIST, PERSISTENCE + "*", Shape.AROUND_DETAILED, ALL, "persist"),
          call(Kind.PERSIST, PERSISTENCE + "*", Shape.CALLBACK, ALL, "thenRun", "thenReply"),
          call(Kind.ANSWER, PERSISTENCE + "*", Shape.BEFORE_DETAILED, ALL, "reply"),
          // tables
          call(Kind.PROJECTION, "java.sql.*", Shape.AROUND, KERNEL + "readside.", WRITES),
          call(Kind.PERSIST, "java.sql.*", Shape.AROUND, ALL, WRITES),
          call(Kind.PERSIST, "java.sql.*", Shape.AROUND, ALL, "commit"),
          call(Kind.PERSIST, KERNEL + "store.Store", Shape.AROUND, ALL, "inTransaction"),
          call(Kind.PROJECTION, KERNEL + "readside.InsertOnce", Shape.AROUND, ALL, "run"),
          // the embedded database's files
          call(
              Kind.PERSIST,
              "java.nio.channels.FileChannel",
              Shape.AROUND,
              ALL,
              "write",
              "force",
              "truncate"),
          call(Kind.PERSIST, "org.h2.mvstore.MVStore", Shape.AROUND, ALL, "compact"),
          // what begins to live
          call(
              Kind.CHILD,
              TYPED + "javadsl.ActorContext",
              Shape.AROUND_DETAILED,
              ALL,
              "spawn",
              "watch",
              "watchWith"),
          call(
              Kind.CHILD,
              TYPED + "javadsl.ActorContext",
              Shape.AROUND,
              ALL,
              "spawnAnonymous",
              "delegate"),
          call(Kind.CHILD, TYPED + "ActorSystem", Shape.AROUND, ALL, "create", "systemActorOf"),
          call(
              Kind.CHILD,
              "org.apache.pekko.cluster.sharding.typed.javadsl.*",
              Shape.AROUND,
              ALL,
              "init"),
          // what goes to a tool or the policy book, and what comes back
          call(Kind.EFFECT, KERNEL + "execute.ToolPort", Shape.AROUND, ALL, "dispatch", "readBack"),
          call(
              Kind.EFFECT,
              KERNEL + "execute.KernelToolPort$*",
              Shape.AROUND,
              ALL,
              "change",
              "lookUp"),
          // what witness providers are asked and told
          call(
              Kind.EFFECT,
              ALL + "plugin.api.WitnessProvider",
              Shape.AROUND,
              KERNEL,
              "ask",
              "look",
              "recover",
              "nested",
              "remind",
              "withdraw"),
          call(Kind.EFFECT, KERNEL + "execute.ToolClient", Shape.AROUND, ALL, "exchange"),
          call(Kind.EFFECT, "java.net.Socket", Shape.AROUND, ALL, "connect"),
          call(Kind.EFFECT, "java.io.OutputStream", Shape.AROUND, ALL, "write"),
          call(Kind.EFFECT, KERNEL + "execute.AnswerReader", Shape.AROUND, ALL, "read"),
          call(Kind.EFFECT, TYPED + "ActorRef", Shape.AROUND_DETAILED, KERNEL + "execute.", "tell"),
          // the read side's steps
          call(
              Kind.PROJECTION,
              KERNEL + "readside.ReadSideWriter",
              Shape.AROUND,
              ALL,
              "changed",
              "write",
              "flushed"),
          call(
              Kind.PROJECTION,
              KERNEL + "readside.ReadSideWriter$Tables",
              Shape.AROUND,
              ALL,
              "write"),
          call(Kind.PROJECTION, KERNEL + "readside.JournalTail", Shape.AROUND, ALL, "look"),
          call(
              Kind.PROJECTION,
              "org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef",
              Shape.AROUND_DETAILED,
              KERNEL + "api.ReadSide",
              "tell"),
          call(Kind.PROJECTION, TYPED + "*", Shape.AROUND_DETAILED, KERNEL + "readside.", "tell"),
          // what is said
          call(Kind.ANSWER, TYPED + "ActorRef", Shape.AROUND_DETAILED, ALL, "tell"),
          call(
              Kind.ANSWER,
              "org.apache.pekko.cluster.sharding.typed.javadsl.EntityRef",
              Shape.AROUND_DETAILED,
              ALL,
              "tell"),
          call(Kind.EFFECT, FUTURE, Shape.AROUND, KERNEL + "execute.", "complete"),
          call(Kind.ANSWER, FUTURE, Shape.AROUND, KERNEL, "complete"));

  /** Methods that are points themselves, because what they stand for has no call of its own. */
  static final List<SitePattern> METHODS =
      List.of(
          method(Kind.RECOVERY, KERNEL + "entity.HeldCallEntity", "onRecovered"),
          new SitePattern(Kind.RECOVERY, ALL + "*", Set.of("eventHandler"), Shape.HANDLER, ALL),
          method(Kind.ANSWER, "dev.heldcall.gateway.server.RequestPipeline", "handle"),
          method(Kind.ANSWER, "dev.heldcall.gateway.server.HttpAnswers", "of"),
          method(Kind.EFFECT, KERNEL + "execute.SendGate", "pass"),
          method(Kind.EFFECT, KERNEL + "execute.ExchangeRun", "exchanged"),
          method(Kind.EFFECT, KERNEL + "execute.HttpDispatch", "classified"),
          method(Kind.EFFECT, KERNEL + "execute.HttpReadBack", "classified"),
          method(Kind.PROJECTION, KERNEL + "readside.ReadSideTables", "write"),
          method(Kind.PROJECTION, KERNEL + "readside.JournalTail", "rebuilt"),
          method(Kind.PROJECTION, KERNEL + "readside.DueIndex", "takeDue"));

  private SitePatterns() {}

  private static SitePattern call(
      Kind kind, String owner, Shape shape, String scope, String... names) {
    return call(kind, owner, shape, scope, Set.of(names));
  }

  private static SitePattern call(
      Kind kind, String owner, Shape shape, String scope, Set<String> names) {
    return new SitePattern(kind, owner, names, shape, scope);
  }

  private static SitePattern method(Kind kind, String owner, String name) {
    return new SitePattern(kind, owner, Set.of(name), Shape.METHOD, owner);
  }

  /** The pattern that a call of the method is a site by. */
  static Optional<SitePattern> ofCall(String inClass, String onClass, String method) {
    return CALLS.stream().filter(each -> each.matches(inClass, onClass, method)).findFirst();
  }

  /** The pattern that a method itself is a site by. */
  static Optional<SitePattern> ofMethod(String inClass, String method) {
    return METHODS.stream().filter(each -> each.matches(inClass, inClass, method)).findFirst();
  }
}
