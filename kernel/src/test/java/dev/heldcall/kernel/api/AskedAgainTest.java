package dev.heldcall.kernel.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class AskedAgainTest {

  private final List<CompletableFuture<String>> questions = new ArrayList<>();
  private final List<CompletableFuture<Void>> pauses = new ArrayList<>();

  private CompletableFuture<String> ask(int most) {
    return AskedAgain.ask(
            () -> {
              questions.add(new CompletableFuture<>());
              return questions.getLast();
            },
            () -> {
              pauses.add(new CompletableFuture<>());
              return pauses.getLast();
            },
            most)
        .toCompletableFuture();
  }

  @Test
  void anAnswerInTimeAsksOnceAndLetsGoOfTheTimer() {
    CompletableFuture<String> answer = ask(3);
    questions.getFirst().complete("done");
    assertThat(answer).isCompletedWithValue("done");
    assertThat(questions).hasSize(1);
    assertThat(pauses.getFirst()).isCancelled();
  }

  @Test
  void aLostQuestionIsPutAgain() {
    CompletableFuture<String> answer = ask(3);
    pauses.getFirst().complete(null);
    questions.get(1).complete("done at the new place");
    assertThat(answer).isCompletedWithValue("done at the new place");
  }

  @Test
  void theFirstAnswerCountsWhicheverQuestionItIsTo() {
    CompletableFuture<String> answer = ask(3);
    pauses.getFirst().complete(null);
    questions.getFirst().complete("slow");
    questions.get(1).complete("late");
    assertThat(answer).isCompletedWithValue("slow");
  }

  @Test
  void itIsNotAskedForEver() {
    CompletableFuture<String> answer = ask(3);
    pauses.get(0).complete(null);
    pauses.get(1).complete(null);
    assertThat(questions).hasSize(3);
    assertThat(pauses).hasSize(2);
    questions.getFirst().completeExceptionally(new TimeoutException("no answer"));
    assertThatThrownBy(answer::join).hasCauseInstanceOf(TimeoutException.class);
  }

  @Test
  void thatOneOfTheLaterFailsIsNoAnswer() {
    CompletableFuture<String> answer = ask(2);
    pauses.getFirst().complete(null);
    questions.get(1).completeExceptionally(new IllegalStateException("moving"));
    assertThat(answer).isNotDone();
    questions.getFirst().complete("done");
    assertThat(answer).isCompletedWithValue("done");
  }
}
