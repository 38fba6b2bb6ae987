package dev.heldcall.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.heldcall.gateway.server.TestGateway.Got;
import dev.heldcall.kernel.api.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OverloadTest {

  private static final String CANCEL = "/held/" + SampleCall.HELD_ID + "/cancel";
  private static final String PROPOSAL =
      "{\"session_id\":\"s-1\",\"turn_id\":\"t-1\",\"call_id\":\"c-1\",\"tool\":\"t\",\"args\":{}}";

  @Test
  void a_full_node_refuses_writes_before_anything_is_done() throws Exception {
    try (TestGateway gateway = new TestGateway(1 << 20, 1, 4096, Duration.ofSeconds(20))) {
      CompletableFuture<Reply<?>> parked = new CompletableFuture<>();
      gateway.kernel.stages("cancel", parked);
      CompletableFuture<Got> first = async(() -> gateway.post(CANCEL, "dev-agent", "{}"));
      await().until(() -> !gateway.kernel.asked("cancel").isEmpty());

      Got second = gateway.post(CANCEL, "dev-agent", "{}");

      assertThat(second.status()).isEqualTo(503);
      assertThat(second.slug()).isEqualTo("overloaded");
      assertThat(second.header("retry-after")).isEqualTo("1");
      assertThat(gateway.kernel.asked("cancel")).hasSize(1);
      assertThat(gateway.get("/health/live", null).status()).isEqualTo(200);

      parked.complete(new Reply.Ok<>(SampleCall.held().view()));
      assertThat(first.join().status()).isEqualTo(409);
      assertThat(gateway.post(CANCEL, "dev-agent", "{}").status()).isEqualTo(409);
    }
  }

  @Test
  void a_proposal_that_only_waits_gives_its_place_back() throws Exception {
    try (TestGateway gateway = new TestGateway(1 << 20, 1, 4096, Duration.ofSeconds(20))) {
      CompletableFuture<Reply<?>> parked = new CompletableFuture<>();
      gateway.kernel.stages("propose", parked);
      gateway.kernel.succeeds("cancel", SampleCall.held().view());
      CompletableFuture<Got> first =
          async(() -> gateway.post("/tool-calls", "dev-agent", PROPOSAL));
      await().until(() -> !gateway.kernel.asked("propose").isEmpty());

      await().until(() -> gateway.post(CANCEL, "dev-agent", "{}").status() == 409);

      parked.complete(new Reply.Ok<>(SampleCall.held().view()));
      assertThat(first.join().status()).isEqualTo(202);
    }
  }

  @Test
  void waiting_has_a_bound_of_its_own() throws Exception {
    try (TestGateway gateway = new TestGateway(1 << 20, 8, 1, Duration.ofSeconds(20))) {
      CompletableFuture<Reply<?>> parked = new CompletableFuture<>();
      gateway.kernel.stages("read", parked);
      gateway.kernel.succeeds("cancel", SampleCall.held().view());
      CompletableFuture<Got> first =
          async(() -> gateway.get("/held/" + SampleCall.HELD_ID, "dev-agent"));
      await().until(() -> !gateway.kernel.asked("read").isEmpty());

      assertThat(gateway.get("/held/" + SampleCall.HELD_ID, "dev-agent").status()).isEqualTo(503);
      assertThat(gateway.post("/tool-calls", "dev-agent", PROPOSAL).status()).isEqualTo(503);
      assertThat(gateway.post(CANCEL, "dev-agent", "{}").status()).isEqualTo(409);
      assertThat(gateway.kernel.asked("propose")).isEmpty();

      parked.complete(new Reply.Ok<>(SampleCall.held().view()));
      assertThat(first.join().status()).isEqualTo(200);
    }
  }

  private interface Sending {
    Got send() throws Exception;
  }

  private static CompletableFuture<Got> async(Sending sending) {
    CompletableFuture<Got> got = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                got.complete(sending.send());
              } catch (Exception e) {
                got.completeExceptionally(e);
              }
            });
    return got;
  }

  @Test
  void a_node_without_contact_tells_nothing_of_what_it_did() throws Exception {
    try (TestGateway gateway = new TestGateway(1 << 20, 8, 8, Duration.ofSeconds(20))) {
      gateway.kernel.succeeds("cancel", SampleCall.held().view());
      assertThat(gateway.post(CANCEL, "dev-agent", "{}").status()).isEqualTo(409);
      gateway.kernel.loseContact();

      Got got = gateway.post(CANCEL, "dev-agent", "{}");

      assertThat(got.status()).isEqualTo(503);
      assertThat(got.slug()).isEqualTo("unavailable");
      assertThat(got.header("retry-after")).isEqualTo("1");
      assertThat(gateway.get("/health/live", null).status()).isEqualTo(200);
    }
  }

  @Test
  void a_node_that_leaves_answers_what_takes_too_long_in_its_own_words() throws Exception {
    try (TestGateway gateway = new TestGateway(1 << 20, 8, 8, Duration.ofSeconds(20))) {
      gateway.kernel.succeeds("members", List.of());
      gateway.kernel.stages("read", new CompletableFuture<>());
      CompletableFuture<Got> waiting =
          async(() -> gateway.get("/held/" + SampleCall.HELD_ID, "dev-agent"));
      await().until(() -> !gateway.kernel.asked("read").isEmpty());

      gateway.leave();

      Got got = waiting.join();
      assertThat(got.status()).isEqualTo(503);
      assertThat(got.slug()).isEqualTo("unavailable");
      assertThat(got.header("retry-after")).isEqualTo("1");
      assertThat(got.header("connection")).isEqualTo("close");
    }
  }
}
