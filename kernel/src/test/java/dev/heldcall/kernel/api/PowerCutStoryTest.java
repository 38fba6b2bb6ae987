package dev.heldcall.kernel.api;

import static dev.heldcall.kernel.call.CoreFixtures.AGENT;
import static dev.heldcall.kernel.call.CoreFixtures.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.config.HeldcallSettings;
import dev.heldcall.config.Overrides;
import dev.heldcall.config.SettingsException;
import dev.heldcall.config.SettingsReader;
import dev.heldcall.kernel.call.Attesting;
import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.Delivery;
import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.OutcomeJson;
import dev.heldcall.kernel.call.Preferences;
import dev.heldcall.kernel.call.Proposal;
import dev.heldcall.kernel.store.LossyDatabase;
import dev.heldcall.kernel.store.LossyDisk;
import dev.heldcall.plugin.api.Boundary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole node on a disk whose power goes: whatever its façade has answered before is there in
 * the next life, and what was in doubt can be said again and comes to its end.
 */
@Timeout(240)
class PowerCutStoryTest {

  private static final int LIVES = Integer.getInteger("heldcall.test.power-cut-lives", 3);
  private static final int CLIENTS = 4;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  /** One call, and how far it was answered. */
  private static final class Told {
    final Proposal proposal;
    volatile int answered;

    Told(Proposal proposal) {
      this.proposal = proposal;
    }

    String heldId() {
      return proposal.identity(AGENT).heldId();
    }
  }

  private final List<Told> all = new ArrayList<>();

  @Test
  void whatTheNodeHasAnsweredIsThereAfterThePowerWent() throws Exception {
    Random chance = new Random(5);
    Path data = Files.createDirectories(folder.resolve("life-0"));
    LossyDisk.reset(Long.MAX_VALUE);
    for (int life = 1; life <= LIVES; life++) {
      Kernel kernel = start(data);
      check(kernel.calls());
      LossyDisk.cutAfter(60 + chance.nextInt(500));
      untilThePowerGoes(kernel.calls(), life);
      stopWithoutPower(kernel, data);
      LossyDisk.lose(
          life % 2 == 0 ? LossyDisk.Loss.ALL : LossyDisk.Loss.SOME, new Random(chance.nextLong()));
      data = next(data, folder.resolve("life-" + life));
    }
    Kernel kernel = start(data);
    check(kernel.calls());
    for (Told told : all) {
      finish(kernel.calls(), told);
    }
    assertThat(all).hasSizeGreaterThan(LIVES * CLIENTS).allMatch(told -> told.answered == 3);
    var _ = kernel.stop().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private Kernel start(Path data) throws Exception {
    HeldcallSettings settings = settings();
    return Kernel.start(settings, Clock.systemUTC(), () -> LossyDatabase.store(data))
        .toCompletableFuture()
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private HeldcallSettings settings() throws IOException, SettingsException {
    Path file =
        Files.writeString(
            folder.resolve("node.conf"),
            """
            heldcall {
              cluster.port = 0
              limits.ask-timeout = 2s
              effect { settle = 0s, read-back-pause = 100ms, read-back-pause-max = 500ms }
              auth.tokens = [
                { sha256 = "%s", id = agent-1, org = acme, project = default, roles = [agent] }
                { sha256 = "%s", id = alice, org = acme, project = default, roles = [witness],
                  witness-classes = [human] }
              ]
              policy.floor.rules = [
                { id = held, tools = [gate], verdict = REQUIRE_WITNESS, contract { rule = human } }
              ]
            }
            # Without its journal a node cannot hand anything over; nobody waits for that here.
            pekko.coordinated-shutdown.phases {
              cluster-sharding-shutdown-region.timeout = 300ms
              cluster-exiting.timeout = 300ms
            }
            """
                .formatted("a".repeat(64), "b".repeat(64)));
    return SettingsReader.load(List.of(file), Map.of(), Overrides.none(), "production");
  }

  private void untilThePowerGoes(HeldCalls calls, int life) throws InterruptedException {
    List<Thread> clients = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      String session = "s-" + life + "-" + client;
      clients.add(Thread.ofVirtual().start(() -> propose(calls, session)));
    }
    for (Thread each : clients) {
      each.join();
    }
    assertThat(LossyDisk.isOff()).isTrue();
  }

  /** Proposes, approves and acknowledges, call after call; at most one of them is left in doubt. */
  private void propose(HeldCalls calls, String session) {
    for (int i = 0; !LossyDisk.isOff(); i++) {
      Told told =
          new Told(
              new Proposal(
                  session,
                  "t-1",
                  "c-" + i,
                  Boundary.PLAN,
                  "gate",
                  CoreFixtures.json("{'text': '" + "x".repeat(i * 37 % 2_000) + "'}"),
                  null,
                  List.of(),
                  null,
                  Preferences.NONE));
      synchronized (all) {
        all.add(told);
      }
      try {
        finish(calls, told);
      } catch (ExecutionException | TimeoutException | IllegalStateException e) {
        assertThat(LossyDisk.isOff()).as("%s", e).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Says everything that is to be said of a call, whether it was said before or not. */
  private static void finish(HeldCalls calls, Told told)
      throws ExecutionException, TimeoutException, InterruptedException {
    HeldCallFacts facts = ok(calls.propose(AGENT, told.proposal, Duration.ZERO, null)).facts();
    told.answered = Math.max(told.answered, 1);
    HeldCallCommand.Attest approval = Attesting.approval("a-1", facts, ALICE, told(facts));
    var _ = ok(calls.attest(ALICE, told.heldId(), approval.attestation()));
    told.answered = Math.max(told.answered, 2);
    CallView now = ok(calls.read(AGENT, told.heldId(), Duration.ZERO, null));
    while (!now.facts().concluded()) {
      if (LossyDisk.isOff()) {
        throw new IllegalStateException("the power went before the result was there");
      }
      now = ok(calls.read(AGENT, told.heldId(), Duration.ofSeconds(1), now.sequence()));
    }
    String deliveryId = told.heldId() + ".1";
    var _ = ok(calls.acknowledge(AGENT, told.proposal.sessionId(), deliveryId));
    told.answered = 3;
  }

  /** The same for every try, so that a second one is a duplicate. */
  private static Instant told(HeldCallFacts facts) {
    return facts.requireSpec().createdAt();
  }

  private static <T> T ok(CompletionStage<Reply<T>> reply)
      throws ExecutionException, TimeoutException, InterruptedException {
    CompletableFuture<Reply<T>> answer = reply.toCompletableFuture();
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(2))
        .atMost(PATIENCE)
        .until(() -> answer.isDone() || LossyDisk.isOff());
    if (!answer.isDone()) {
      throw new IllegalStateException("the power went before the answer came");
    }
    return switch (answer.get()) {
      case Reply.Ok<T>(T value) -> value;
      case Reply.Refused<T> refused -> throw new IllegalStateException(refused.toString());
    };
  }

  private void check(HeldCalls calls) throws Exception {
    for (Told told : all) {
      HeldCallFacts facts = facts(calls, told);
      if (told.answered >= 1) {
        assertThat(facts).as("%s was proposed", told.heldId()).isNotNull();
      }
      if (told.answered >= 2 && facts != null) {
        assertThat(facts.evidence()).as("%s was approved", told.heldId()).containsKey("a-1");
      }
      if (told.answered >= 3 && facts != null) {
        assertThat(facts.delivery())
            .as("%s was acknowledged", told.heldId())
            .isEqualTo(Delivery.ACKNOWLEDGED);
        assertThat(OutcomeJson.deliveryId(facts)).isEqualTo(told.heldId() + ".1");
      }
    }
  }

  private static @Nullable HeldCallFacts facts(HeldCalls calls, Told told) throws Exception {
    Reply<CallView> reply =
        calls
            .read(AGENT, told.heldId(), Duration.ZERO, null)
            .toCompletableFuture()
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return reply instanceof Reply.Ok<CallView>(CallView view) ? view.facts() : null;
  }

  /** The process is gone after a power cut; here it has to be told. */
  private static void stopWithoutPower(Kernel kernel, Path data)
      throws InterruptedException, TimeoutException {
    try {
      var _ = kernel.stop().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      // the store could not be closed well, as is to be expected
      LossyDatabase.endStore(data);
    }
  }

  /** A database that has failed stays known in this process: the next life has other files. */
  private static Path next(Path data, Path next) throws IOException {
    Files.createDirectories(next);
    try (Stream<Path> files = Files.list(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, next.resolve(file.getFileName().toString()));
      }
    }
    return next;
  }
}
