package dev.heldcall.kernel.execute;

import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.ReadBackReport;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A port whose answers the test gives, when it likes. */
final class ScriptedPort implements ToolPort {

  private final BlockingQueue<CompletableFuture<DispatchReport>> dispatches =
      new LinkedBlockingQueue<>();
  private final BlockingQueue<CompletableFuture<ReadBackReport>> questions =
      new LinkedBlockingQueue<>();

  @Override
  public CompletionStage<DispatchReport> dispatch(DispatchOrder order) {
    CompletableFuture<DispatchReport> answer = new CompletableFuture<>();
    dispatches.add(answer);
    return answer;
  }

  @Override
  public CompletionStage<ReadBackReport> readBack(DispatchOrder order) {
    CompletableFuture<ReadBackReport> answer = new CompletableFuture<>();
    questions.add(answer);
    return answer;
  }

  CompletableFuture<DispatchReport> nextDispatch() throws InterruptedException {
    return taken(dispatches);
  }

  CompletableFuture<ReadBackReport> nextQuestion() throws InterruptedException {
    return taken(questions);
  }

  boolean isQuiet() {
    return dispatches.isEmpty() && questions.isEmpty();
  }

  private static <T> T taken(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(30, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("the port was not asked");
    }
    return next;
  }
}
