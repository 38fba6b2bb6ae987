package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.Presentation;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.call.Rejection;
import dev.heldcall.kernel.call.SessionKey;
import dev.heldcall.kernel.codec.JournalCodec;
import dev.heldcall.kernel.readside.Audience;
import dev.heldcall.kernel.readside.CallIndex;
import dev.heldcall.kernel.readside.CallPage;
import dev.heldcall.kernel.readside.CallQuery;
import dev.heldcall.kernel.readside.CallState;
import dev.heldcall.kernel.readside.IdempotencyKeys;
import dev.heldcall.kernel.readside.JournalReader;
import dev.heldcall.kernel.readside.Mailbox;
import dev.heldcall.kernel.readside.MailboxBell;
import dev.heldcall.kernel.readside.ReadSideWriter;
import dev.heldcall.kernel.store.Batches;
import dev.heldcall.kernel.store.JdbcExecutor;
import dev.heldcall.kernel.store.Store;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.DisclosureRule;
import dev.heldcall.plugin.api.Principal;
import dev.heldcall.plugin.api.Role;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What is answered from the database rather than by an entity: lists, mailboxes, histories. */
final class ReadSideQueries {

  /** Of a history, as the journal keeps it; the rest is left for the next page. */
  private static final long MAX_PAGE_BYTES = 1 << 20;

  /** Of a call, the newest that history looks at. */
  private static final int MAX_RULINGS = 1_000;

  private static final int MAX_SESSION_CALLS = 1_000;
  private static final Duration CATCH_UP = Duration.ofSeconds(1);
  private static final long LOOK_AGAIN_MILLIS = 500;

  private final Store store;
  private final JdbcExecutor jdbc;
  private final CallIndex index;
  private final Batches<Mailbox.Listing, List<Mailbox.Item>> mailboxes;
  private final MailboxBell bell;
  private final ReadSideWriter writer;
  private final IdempotencyKeys keys;
  private final OpenCalls open;
  private final JournalReader journal;
  private final JournalCodec codec;
  private final HistoryJson history;
  private final Clock clock;
  private final Leaving leaving;
  private final ListedCalls listed;

  ReadSideQueries(
      Store store,
      JdbcExecutor jdbc,
      Batches<Mailbox.Listing, List<Mailbox.Item>> mailboxes,
      MailboxBell bell,
      ReadSideWriter writer,
      OpenCalls open,
      JournalCodec codec,
      Clock clock,
      Leaving leaving,
      ListedCalls listed) {
    this.store = store;
    this.jdbc = jdbc;
    this.index = new CallIndex(store);
    this.mailboxes = mailboxes;
    this.bell = bell;
    this.writer = writer;
    this.keys = new IdempotencyKeys(store);
    this.open = open;
    this.journal = new JournalReader(store);
    this.codec = codec;
    this.history = new HistoryJson(codec);
    this.clock = clock;
    this.leaving = leaving;
    this.listed = listed;
  }

  /**
   * Why the proposal is not taken in, if it is not: the Idempotency-Key and the bounds on open
   * calls.
   */
  CompletionStage<Optional<Rejection>> admit(
      Principal proposer, Proposal proposal, String heldId, @Nullable String key) {
    Rejection full =
        open.refuse(proposer.ref(), SessionKey.of(proposer.ref(), proposal.sessionId()));
    if (full != null) {
      return CompletableFuture.completedFuture(Optional.of(full));
    }
    if (key == null) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    return jdbc.ask(
        () -> {
          String owner =
              store.inTransaction(
                  connection -> keys.claim(connection, proposer.ref(), key, heldId));
          return owner.equals(heldId)
              ? Optional.<Rejection>empty()
              : Optional.of(
                  Rejection.of(
                      Problem.IDEMPOTENCY_KEY_REUSE,
                      "this Idempotency-Key was used for another session_id, turn_id and"
                          + " call_id"));
        });
  }

  CompletionStage<HistoryPage> history(HeldCallFacts facts, long after, int limit, boolean whole) {
    return jdbc.ask(
        () -> {
          String persistenceId = "held-call|" + facts.requireSpec().heldId();
          HistoryJson.Sight sight = whole ? null : sight(persistenceId, facts);
          List<ObjectNode> items = new ArrayList<>();
          long last = after;
          for (JournalReader.RawEvent raw :
              journal.page(persistenceId, after + 1, limit, MAX_PAGE_BYTES)) {
            HeldCallEvent event = (HeldCallEvent) codec.read(raw.manifest(), raw.payload());
            items.add(history.item(raw.sequenceNumber(), event, sight));
            last = raw.sequenceNumber();
          }
          return new HistoryPage(items, Math.max(0, journal.maxSequence(persistenceId) - last));
        });
  }

  /**
   * A generation is shown as all rulings on it allowed, and not as one on a later generation does;
   * one that nobody ruled on shows its digest.
   */
  private HistoryJson.Sight sight(String persistenceId, HeldCallFacts facts) throws SQLException {
    Map<Integer, DisclosureRule> rules = new HashMap<>();
    for (JournalReader.RawEvent raw : journal.named(persistenceId, "call-ruled", MAX_RULINGS)) {
      if (codec.read(raw.manifest(), raw.payload()) instanceof HeldCallEvent.CallRuled ruled) {
        rules.merge(
            ruled.ruling().generation(),
            Presentation.rule(ruled.ruling(), facts.requireSpec()),
            DisclosureRule::and);
      }
    }
    DisclosureRule unruled = DisclosureRule.of(Disclosure.DIGEST);
    return new HistoryJson.Sight(
        number -> rules.getOrDefault(number, unruled),
        Presentation.rule(facts).disclosure() == Disclosure.FULL);
  }

  CompletionStage<Reply<InboxPage>> inbox(Principal viewer, InboxQuery query) {
    CallQuery asked =
        new CallQuery(
            audience(viewer),
            state(query.state()),
            query.witnessClass() == null ? Set.of() : Set.of(query.witnessClass()),
            query.sessionId(),
            query.tool(),
            null,
            query.cursor(),
            query.limit());
    return caughtUp()
        .thenCompose(
            done ->
                jdbc.ask(
                    () -> {
                      try {
                        CallPage page = index.list(asked);
                        return new Reply.Ok<>(
                            new InboxPage(listed.of(page.rows(), viewer), page.nextCursor()));
                      } catch (IllegalArgumentException e) {
                        return new Reply.Refused<>(
                            new Rejection(
                                Problem.INVALID_FIELD,
                                "the cursor is none that this list gave",
                                List.of(
                                    new Rejection.FieldError(
                                        "/cursor", "expected next_cursor of an earlier page")),
                                null));
                      }
                    }));
  }

  private static Audience audience(Principal viewer) {
    if (viewer.has(Role.OPERATOR)) {
      return new Audience.Operator(viewer.org());
    }
    return new Audience.Member(
        viewer.ref(), viewer.has(Role.WITNESS) ? viewer.witnessClasses() : Set.of());
  }

  private static @Nullable CallState state(InboxQuery.State state) {
    return switch (state) {
      case WAITING -> CallState.WAITING;
      case READY -> CallState.READY;
      case UNKNOWN -> CallState.UNKNOWN;
      case ENDED -> CallState.ENDED;
      case ALL -> null;
    };
  }

  CompletionStage<Reply<SessionView>> session(Principal owner, String sessionId) {
    String key = SessionKey.of(owner.ref(), sessionId);
    return caughtUp()
        .thenCompose(done -> jdbc.ask(() -> index.bySession(key, MAX_SESSION_CALLS)))
        .thenApply(
            rows -> {
              boolean paused = rows.stream().anyMatch(row -> !row.ended());
              return new Reply.Ok<>(new SessionView(sessionId, listed.of(rows, owner), paused));
            });
  }

  CompletionStage<Reply<List<DeliveryItem>>> deliveries(
      Principal owner, String sessionId, long after, Duration wait, int limit) {
    String key = SessionKey.of(owner.ref(), sessionId);
    Instant until = clock.instant().plus(wait);
    return look(key, after, limit, until).thenApply(Reply.Ok::new);
  }

  private CompletableFuture<List<DeliveryItem>> look(
      String key, long after, int limit, Instant until) {
    MailboxBell.Waiting ring = bell.await(key);
    return mailboxes
        .ask(new Mailbox.Listing(key, after, limit))
        .thenCompose(
            items -> {
              long left = Duration.between(clock.instant(), until).toMillis();
              if (!items.isEmpty() || left <= 0 || leaving.isTold()) {
                return CompletableFuture.completedFuture(items(items));
              }
              return ring.rung()
                  .completeOnTimeout(
                      List.of(), Math.min(left, LOOK_AGAIN_MILLIS), TimeUnit.MILLISECONDS)
                  .thenCompose(
                      rung -> {
                        bell.forget(key, ring);
                        // What was put in right behind the last known one is all there is.
                        return !rung.isEmpty() && rung.getFirst().seq() == after + 1
                            ? CompletableFuture.completedFuture(
                                items(rung.subList(0, Math.min(limit, rung.size()))))
                            : look(key, after, limit, until);
                      });
            })
        .whenComplete((items, failure) -> bell.forget(key, ring));
  }

  private List<DeliveryItem> items(List<Mailbox.Item> items) {
    return items.stream()
        .map(each -> new DeliveryItem(each.seq(), each.acknowledged(), listed.tree(each.item())))
        .toList();
  }

  /** Waits until lists show what this node has written so far, 1 s at most. */
  private CompletableFuture<Void> caughtUp() {
    return writer.flushed().completeOnTimeout(null, CATCH_UP.toMillis(), TimeUnit.MILLISECONDS);
  }
}
