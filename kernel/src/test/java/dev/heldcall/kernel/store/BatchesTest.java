package dev.heldcall.kernel.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BatchesTest {

  private final List<List<String>> batches = new CopyOnWriteArrayList<>();
  private final Semaphore gate = new Semaphore(0);

  private List<String> answer(List<String> questions) throws SQLException {
    batches.add(List.copyOf(questions));
    gate.acquireUninterruptibly();
    if (questions.contains("bad")) {
      throw new SQLException("refused");
    }
    if (questions.contains("deep")) {
      throw new StackOverflowError("deep");
    }
    return questions.stream().map(each -> each + "!").toList();
  }

  private Batches<String, String> batches(int threads, int capacity, int size) {
    return new Batches<>("asked", threads, capacity, size, this::answer);
  }

  private void awaitBatches(int count) {
    await().atMost(Duration.ofSeconds(30)).until(() -> batches.size() == count);
  }

  private static String got(CompletableFuture<String> answer) throws Exception {
    return answer.get(30, TimeUnit.SECONDS);
  }

  @Test
  void whatComesDuringABatchSharesTheNextAndEachGetsItsOwnAnswer() throws Exception {
    try (Batches<String, String> asked = batches(1, 10, 3)) {
      List<CompletableFuture<String>> answers = new ArrayList<>();
      answers.add(asked.ask("a"));
      awaitBatches(1);
      for (String each : List.of("b", "c", "d", "e")) {
        answers.add(asked.ask(each));
      }
      gate.release(10);
      for (CompletableFuture<String> each : answers) {
        got(each);
      }
      assertThat(answers)
          .extracting(CompletableFuture::join)
          .containsExactly("a!", "b!", "c!", "d!", "e!");
      assertThat(batches).containsExactly(List.of("a"), List.of("b", "c", "d"), List.of("e"));
    }
  }

  @Test
  void asManyBatchesRunAtATimeAsThereAreThreads() throws Exception {
    try (Batches<String, String> asked = batches(2, 10, 3)) {
      CompletableFuture<String> one = asked.ask("a");
      awaitBatches(1);
      CompletableFuture<String> two = asked.ask("b");
      awaitBatches(2);
      gate.release(2);
      assertThat(got(one)).isEqualTo("a!");
      assertThat(got(two)).isEqualTo("b!");
    }
  }

  @Test
  void aFailureIsOfItsBatchOnly() throws Exception {
    gate.release(10);
    try (Batches<String, String> asked = batches(1, 10, 3)) {
      assertThatThrownBy(() -> got(asked.ask("bad"))).hasRootCauseMessage("refused");
      assertThatThrownBy(() -> got(asked.ask("deep")))
          .hasRootCauseInstanceOf(StackOverflowError.class);
      assertThat(got(asked.ask("a"))).isEqualTo("a!");
    }
  }

  @Test
  void oneTooManyFailsAtOnce() throws Exception {
    try (Batches<String, String> asked = batches(1, 2, 3)) {
      CompletableFuture<String> first = asked.ask("a");
      awaitBatches(1);
      CompletableFuture<String> second = asked.ask("b");
      CompletableFuture<String> third = asked.ask("c");
      CompletableFuture<String> fourth = asked.ask("d");
      assertThat(fourth).isCompletedExceptionally();
      assertThatThrownBy(fourth::join)
          .hasCauseInstanceOf(RejectedExecutionException.class)
          .hasMessageContaining("asked has too many waiting");
      gate.release(10);
      assertThat(List.of(got(first), got(second), got(third))).containsExactly("a!", "b!", "c!");
    }
  }

  @Test
  void theCloseWaitsForWhatIsUnderWayAndFailsWhatWaits() throws Exception {
    Batches<String, String> asked = batches(2, 10, 1);
    List<CompletableFuture<String>> underWay = List.of(asked.ask("a"), asked.ask("b"));
    awaitBatches(2);
    CompletableFuture<String> waiting = asked.ask("c");
    CompletableFuture<Void> closed = CompletableFuture.runAsync(asked::close);
    await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> asked.ask("late").isCompletedExceptionally());
    assertThat(closed).isNotDone();
    gate.release(10);
    for (CompletableFuture<String> each : underWay) {
      got(each);
    }
    closed.get(30, TimeUnit.SECONDS);
    assertThat(waiting).isCompletedExceptionally();
    assertThatThrownBy(waiting::join).hasMessageContaining("asked is closed");
    assertThat(batches).hasSize(2);
    assertThat(asked.ask("d")).isCompletedExceptionally();
  }
}
