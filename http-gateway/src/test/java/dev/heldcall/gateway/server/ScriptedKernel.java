package dev.heldcall.gateway.server;

import dev.heldcall.kernel.api.HeldCalls;
import dev.heldcall.kernel.api.Reply;
import dev.heldcall.kernel.call.Problem;
import dev.heldcall.kernel.call.Rejection;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A kernel that answers what a test tells it to, and remembers what it was asked. */
final class ScriptedKernel {

  /** One question: the façade's method and its arguments. */
  record Asked(String method, List<@Nullable Object> arguments) {
    @Nullable Object argument(int index) {
      return arguments.get(index);
    }

    <T> T argument(int index, Class<T> type) {
      return type.cast(Objects.requireNonNull(arguments.get(index)));
    }
  }

  private volatile boolean inContact = true;
  private final Map<String, Function<Asked, ?>> script = new ConcurrentHashMap<>();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();

  /** The façade. */
  HeldCalls calls() {
    return (HeldCalls)
        Proxy.newProxyInstance(
            HeldCalls.class.getClassLoader(),
            new Class<?>[] {HeldCalls.class},
            (_, method, arguments) -> {
              if (method.getName().equals("inContact")) {
                return inContact;
              }
              @Nullable Object[] given = arguments == null ? new @Nullable Object[0] : arguments;
              Asked question = new Asked(method.getName(), java.util.Arrays.asList(given));
              asked.add(question);
              Function<Asked, ?> answer = script.get(method.getName());
              if (answer == null) {
                throw new IllegalStateException("nobody scripted " + method.getName());
              }
              return answer.apply(question);
            });
  }

  /** From now on, until the reset, this node has lost its cluster. */
  void loseContact() {
    inContact = false;
  }

  /** Forgets all. */
  void reset() {
    inContact = true;
    script.clear();
    asked.clear();
  }

  /** Answers with a value. */
  void succeeds(String method, Object value) {
    stages(method, CompletableFuture.completedFuture(new Reply.Ok<>(value)));
  }

  /** Answers with a refusal. */
  void refuses(String method, Problem problem) {
    refuses(method, Rejection.of(problem, "scripted"));
  }

  /** Answers with a refusal. */
  void refuses(String method, Rejection rejection) {
    stages(method, CompletableFuture.completedFuture(new Reply.Refused<>(rejection)));
  }

  /** Answers with the stage, whatever becomes of it. */
  void stages(String method, CompletionStage<?> stage) {
    script.put(method, _ -> stage);
  }

  /** Answers at once. */
  void returns(String method, Object value) {
    script.put(method, _ -> value);
  }

  /** Answers with a defect. */
  void throwsUp(String method, RuntimeException defect) {
    script.put(
        method,
        _ -> {
          throw defect;
        });
  }

  /** What was asked of the method, oldest first. */
  List<Asked> asked(String method) {
    return asked.stream().filter(each -> each.method().equals(method)).toList();
  }

  /** The one thing that was asked of the method. */
  Asked only(String method) {
    List<Asked> all = asked(method);
    if (all.size() != 1) {
      throw new AssertionError(method + " was asked " + all.size() + " times");
    }
    return all.getFirst();
  }

  /** Whether nothing at all was asked. */
  boolean untouched() {
    return asked.isEmpty();
  }
}
