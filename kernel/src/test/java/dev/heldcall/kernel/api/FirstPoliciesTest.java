package dev.heldcall.kernel.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class FirstPoliciesTest {

  private final List<String> asked = new ArrayList<>();

  private CompletionStage<?> slowAtFirst(String org) {
    asked.add(org);
    return asked.size() < 3
        ? CompletableFuture.failedFuture(new PolicyUnreachableException("no answer within 2 s"))
        : CompletableFuture.completedFuture(org);
  }

  @Test
  void aDatabaseThatIsSlowIsAskedAgain() throws Exception {
    FirstPolicies.read(List.of("acme"), this::slowAtFirst, () -> true)
        .toCompletableFuture()
        .get(10, TimeUnit.SECONDS);
    assertThat(asked).containsExactly("acme", "acme", "acme");
  }

  @Test
  void onlyWhileThereIsTime() {
    assertThatThrownBy(
            () ->
                FirstPolicies.read(List.of("acme"), this::slowAtFirst, () -> asked.size() < 2)
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(PolicyUnreachableException.class);
    assertThat(asked).hasSize(2);
  }

  @Test
  void whatCannotBeUnderstoodFailsAtOnce() {
    assertThatThrownBy(
            () ->
                FirstPolicies.read(
                        List.of("acme"),
                        org -> {
                          asked.add(org);
                          return CompletableFuture.failedFuture(
                              new IllegalStateException("the policy is unusable"));
                        },
                        () -> true)
                    .toCompletableFuture()
                    .get(10, TimeUnit.SECONDS))
        .hasRootCauseMessage("the policy is unusable");
    assertThat(asked).hasSize(1);
  }
}
