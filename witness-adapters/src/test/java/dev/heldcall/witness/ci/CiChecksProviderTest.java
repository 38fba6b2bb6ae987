package dev.heldcall.witness.ci;

import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static dev.heldcall.plugin.api.AttestationDecision.DENY;
import static dev.heldcall.witness.FactRequests.ask;
import static dev.heldcall.witness.FactRequests.asking;
import static dev.heldcall.witness.FactRequests.attested;
import static dev.heldcall.witness.FactRequests.contract;
import static dev.heldcall.witness.FactRequests.deferred;
import static dev.heldcall.witness.FactRequests.hiding;
import static dev.heldcall.witness.FactRequests.json;
import static dev.heldcall.witness.FactRequests.services;
import static dev.heldcall.witness.FactRequests.unavailable;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.Counterpart;
import dev.heldcall.witness.Counterpart.Said;
import dev.heldcall.witness.FactRequests;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Against a server that answers as GitHub's documentation shows its own to: every state of a check
 * and every failure in one list, hence its length.
 */
class CiChecksProviderTest {

  private static final String ARGS = "{'repo':'GitHub/hello-world','commit':'" + Forge.SHA + "'}";
  private static final WitnessRequest REQUEST = asking(ARGS);
  private static final String REFERENCE = "github/hello-world@" + Forge.SHA;
  private static final String SECRET = "It's a Secret to Everybody";

  private final Counterpart forge = Counterpart.start();
  private final List<WitnessProvider> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(WitnessProvider::close);
    forge.close();
  }

  private WitnessProvider provider(String checks, String more) throws Exception {
    ObjectNode settings =
        (ObjectNode) json("{'repo':'/repo','commit':'/commit','checks':" + checks + more + "}");
    settings.put("api", forge.url() + "/");
    WitnessProvider provider =
        new CiChecksType()
            .create(contract("ci-checks", Duration.ofSeconds(10)), settings, services());
    opened.add(provider);
    return provider;
  }

  private WitnessProvider provider() throws Exception {
    return provider("['build']", "");
  }

  private static WitnessAnswer.Waiting waiting(WitnessAnswer answer) {
    assertThat(answer).isInstanceOf(WitnessAnswer.Waiting.class);
    WitnessAnswer.Waiting waiting = (WitnessAnswer.Waiting) answer;
    assertThat(waiting.reference()).isEqualTo(REFERENCE);
    return waiting;
  }

  @Test
  void isAskedAsTheDocumentationSays() throws Exception {
    forge.answers(Forge.runs(Forge.run("build", "completed", "success", 4, 1)));
    attested(ask(provider("['build']", ",'token':'t0ken'"), REQUEST), REQUEST, APPROVE);
    assertThat(forge.asked()).hasSize(1);
    assertThat(forge.last().uri())
        .isEqualTo(
            "/repos/GitHub/hello-world/commits/"
                + Forge.SHA
                + "/check-runs?filter=latest&check_name=build&per_page=30&page=1");
    assertThat(forge.last().headers())
        .containsEntry("accept", "application/vnd.github+json")
        .containsEntry("authorization", "Bearer t0ken")
        .containsEntry("x-github-api-version", "2022-11-28");
  }

  @Nested
  class WhatCounts {

    @Test
    void everyRequiredCheckMustHaveConcludedWell() throws Exception {
      forge.answers(
          Forge.runs(
              Forge.run("build", "completed", "success", 1, 1),
              Forge.run("lint", "completed", "failure", 2, 1),
              Forge.run("other", "completed", "failure", 3, 1)));
      attested(ask(provider("['build']", ""), REQUEST), REQUEST, APPROVE);
      assertThat(attested(ask(provider("['build','lint']", ""), REQUEST), REQUEST, DENY).reason())
          .isEqualTo("checks failed: lint (failure)");
      assertThat(deferred(ask(provider("['build','lint']", ",'on-failure':'defer'"), REQUEST)))
          .contains("lint (failure)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cancelled", "timed_out", "action_required", "stale", "neutral", "new"})
    void whatIsNotAcceptedIsNoSuccess(String conclusion) throws Exception {
      forge.answers(Forge.runs(Forge.run("build", "completed", conclusion, 1, 1)));
      attested(ask(provider(), REQUEST), REQUEST, DENY);
    }

    @Test
    void neutralAndSkippedCountWhereTheSettingsSaySo() throws Exception {
      forge.answers(Forge.runs(Forge.run("build", "completed", "neutral", 1, 1)));
      attested(ask(provider("['build']", ",'accept':['neutral']"), REQUEST), REQUEST, APPROVE);
      forge.answers(Forge.runs(Forge.run("build", "completed", "success", 1, 1)));
      attested(ask(provider("['build']", ",'accept':['neutral']"), REQUEST), REQUEST, APPROVE);
    }

    @Test
    void whatDoesNotSayHowItConcludedHasNot() throws Exception {
      forge.answers(Forge.runs(Forge.run("build", "completed", null, 1, 1)));
      waiting(ask(provider(), REQUEST));
    }

    @Test
    void theNewestRunOfANameCounts() throws Exception {
      forge.answers(
          Forge.runs(
              Forge.run("build", "completed", "success", 9, 1),
              Forge.run("build", "completed", "failure", 8, 1)));
      attested(ask(provider(), REQUEST), REQUEST, APPROVE);
      forge.answers(
          Forge.runs(
              Forge.run("build", "completed", "success", 8, 1),
              Forge.run("build", "in_progress", null, 9, 1)));
      waiting(ask(provider(), REQUEST));
    }

    @Test
    void anotherAppsCheckOfTheSameNameDoesNotCount() throws Exception {
      forge.answers(Forge.runs(Forge.run("build", "completed", "success", 9, 666)));
      WitnessProvider provider = provider("[{'name':'build','app':15368}]", "");
      assertThat(waiting(ask(provider, REQUEST)).note()).contains("build");
      assertThat(forge.asked()).as("no app stands for a status").hasSize(1);
    }

    @Test
    void aStatusStandsForACheckThatHasNoRun() throws Exception {
      forge.answers(
          asked ->
              Said.json(
                  asked.uri().contains("/status")
                      ? Forge.statuses(Forge.SHA, "build", "success")
                      : Forge.runs()));
      attested(ask(provider(), REQUEST), REQUEST, APPROVE);
      forge.answers(
          asked ->
              Said.json(
                  asked.uri().contains("/status")
                      ? Forge.statuses(Forge.SHA, "build", "error")
                      : Forge.runs()));
      attested(ask(provider(), REQUEST), REQUEST, DENY);
    }

    /** A short page is no last page: only as many as the forge counts are all of them. */
    @Test
    void everyPageIsRead() throws Exception {
      forge.answers(
          asked ->
              Said.json(
                  asked.uri().endsWith("page=1")
                      ? counting(2, Forge.run("build", "completed", "success", 8, 1))
                      : counting(2, Forge.run("build", "completed", "failure", 9, 1))));
      attested(ask(provider(), REQUEST), REQUEST, DENY);
      assertThat(forge.asked()).hasSize(2);
    }

    @Test
    void whatIsNotWholeIsNotJudged() throws Exception {
      forge.answers(
          asked ->
              Said.json(
                  asked.uri().endsWith("page=1")
                      ? counting(2, Forge.run("build", "completed", "success", 8, 1))
                      : counting(2)));
      assertThat(unavailable(ask(provider(), REQUEST), true)).contains("counts 2");
    }

    private String counting(int total, String... runs) {
      return Forge.runs(runs).replaceFirst("\"total_count\":\\d+", "\"total_count\":" + total);
    }
  }

  @Nested
  class WhatIsAsked {

    @ParameterizedTest
    @ValueSource(strings = {"main", "ce58745", "refs/heads/main", "HEAD"})
    void onlyAFullCommitIsAttested(String commit) throws Exception {
      WitnessRequest request = asking("{'repo':'a/b','commit':'" + commit + "'}");
      assertThat(deferred(ask(provider(), request))).contains("full SHA");
      assertThat(forge.asked()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../..", "a/..", "a/b/c", "a", "a/b?x=", "a%2Fb/c"})
    void aRepositoryIsNoPath(String repository) throws Exception {
      WitnessRequest request = asking("{'repo':'" + repository + "','commit':'" + Forge.SHA + "'}");
      assertThat(deferred(ask(provider(), request))).contains("owner/name");
      assertThat(forge.asked()).isEmpty();
    }

    @Test
    void onlyListedRepositoriesAreAskedAbout() throws Exception {
      WitnessProvider provider = provider("['build']", ",'repositories':['acme/shop']");
      assertThat(deferred(ask(provider, REQUEST))).contains("none of those");
      assertThat(forge.asked()).isEmpty();
    }

    @Test
    void whatIsHiddenFromItCannotBeAskedAbout() throws Exception {
      assertThat(deferred(ask(provider(), hiding(ARGS, "/commit")))).contains("not disclosed");
    }
  }

  @Nested
  class WhatGoesWrong {

    @Test
    void anAnswerForAnotherCommitIsNone() throws Exception {
      forge.answers(
          Forge.runs(
              Forge.run("build", "completed", "success", 1, 1)
                  .replace(Forge.SHA, "6dcb09b5b57875f334f61aebed695e2e4193db5e")));
      assertThat(unavailable(ask(provider(), REQUEST), true)).contains("another commit");
      forge.answers(
          asked ->
              Said.json(
                  asked.uri().contains("/status")
                      ? Forge.statuses(
                          "6dcb09b5b57875f334f61aebed695e2e4193db5e", "build", "success")
                      : Forge.runs()));
      assertThat(unavailable(ask(provider(), REQUEST), true)).contains("another commit");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "[]",
          "{}",
          "{\"check_runs\":{},\"total_count\":0}",
          "{\"check_runs\":[]}",
          "<html>",
          ""
        })
    void aMalformedAnswerIsNone(String answer) throws Exception {
      forge.answers(answer);
      unavailable(ask(provider(), REQUEST), true);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 500, 502, 301})
    void anotherStatusIsNoAnswer(int status) throws Exception {
      forge.answers(asked -> Said.status(status, "{}"));
      assertThat(unavailable(ask(provider(), REQUEST), true)).contains("" + status);
    }

    @Test
    void anUnknownCommitMayStillCome() throws Exception {
      forge.answers(asked -> Said.status(422, "{\"message\":\"No commit found for SHA\"}"));
      assertThat(waiting(ask(provider(), REQUEST)).note()).contains("not yet");
    }

    @Test
    void theForgeSaysWhenToComeAgain() throws Exception {
      forge.answers(asked -> new Said(429, Map.of("retry-after", "77"), "{}"));
      WitnessProvider limited = provider();
      assertThat(waiting(ask(limited, REQUEST)).lookAfter()).isEqualTo(Duration.ofSeconds(77));
      assertThat(waiting(ask(limited, REQUEST)).lookAfter()).isEqualTo(Duration.ofSeconds(77));
      assertThat(forge.asked()).as("nobody asks meanwhile").hasSize(1);
      String reset = String.valueOf(FactRequests.NOW.getEpochSecond() + 120);
      forge.answers(
          asked ->
              new Said(
                  403, Map.of("x-ratelimit-remaining", "0", "x-ratelimit-reset", reset), "{}"));
      assertThat(waiting(ask(provider(), REQUEST)).lookAfter())
          .isBetween(Duration.ofSeconds(118), Duration.ofSeconds(121));
      forge.answers(asked -> Said.status(403, "{}"));
      unavailable(ask(provider(), REQUEST), true);
    }
  }

  @Nested
  class LookingAgain {

    @Test
    void whatHasNotChangedIsNotSentAgain() throws Exception {
      String pending = Forge.runs(Forge.run("build", "queued", null, 1, 1));
      forge.answers(
          asked ->
              "\"v1\"".equals(asked.headers().get("if-none-match"))
                  ? Said.status(304, "")
                  : new Said(200, Map.of("ETag", "\"v1\""), pending));
      WitnessProvider provider = provider();
      waiting(ask(provider, REQUEST));
      waiting(provider.look(REQUEST, REFERENCE).toCompletableFuture().join());
      assertThat(forge.last().headers()).containsEntry("if-none-match", "\"v1\"");
      forge.answers(
          asked ->
              new Said(
                  200,
                  Map.of("ETag", "\"v2\""),
                  Forge.runs(Forge.run("build", "completed", "success", 1, 1))));
      attested(provider.look(REQUEST, REFERENCE).toCompletableFuture().join(), REQUEST, APPROVE);
    }

    @Test
    void theFirstPauseIsTheShortest() throws Exception {
      forge.answers(Forge.runs());
      forge.answers(
          asked ->
              Said.json(
                  asked.uri().contains("/status")
                      ? Forge.statuses(Forge.SHA, "other", "success")
                      : Forge.runs()));
      WitnessProvider provider = provider("['build']", ",'poll':'40s','poll-max':'50s'");
      assertThat(waiting(ask(provider, REQUEST)).lookAfter()).isEqualTo(Duration.ofSeconds(40));
    }
  }

  @Nested
  class Events {

    private IncomingMessage event(String kind, String body, String signature) {
      return new IncomingMessage(
          Map.of("X-GitHub-Event", List.of(kind), "X-Hub-Signature-256", List.of(signature)),
          body.getBytes(StandardCharsets.UTF_8));
    }

    private String signed(String body) {
      return "sha256="
          + HexFormat.of()
              .formatHex(ForgeEvent.signature(body.getBytes(StandardCharsets.UTF_8), SECRET));
    }

    private WitnessProvider taking() throws Exception {
      ObjectNode settings =
          (ObjectNode) json("{'repo':'/repo','commit':'/commit','checks':['build']}");
      settings.put("api", forge.url()).put("webhook-secret", SECRET);
      WitnessProvider provider =
          new CiChecksType()
              .create(contract("ci-checks", Duration.ofSeconds(10)), settings, services());
      opened.add(provider);
      return provider;
    }

    private static int status(IncomingWitness meant) {
      return ((IncomingWitness.Answered) meant).reply().status();
    }

    /** "Validating webhook deliveries", testing the validation. */
    @Test
    void thePublishedVectorIsRight() throws Exception {
      String published = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
      assertThat(signed("Hello, World!")).isEqualTo(published);
      assertThat(status(taking().incoming(event("ping", "Hello, World!", published))))
          .isEqualTo(200);
    }

    @Test
    void anEventMakesItLookAtThatCommit() throws Exception {
      String body =
          "{\"action\":\"completed\",\"check_run\":{\"head_sha\":\""
              + Forge.SHA
              + "\"},\"repository\":{\"full_name\":\"GitHub/Hello-World\"}}";
      IncomingWitness meant = taking().incoming(event("check_run", body, signed(body)));
      assertThat(((IncomingWitness.Poke) meant).reference()).isEqualTo(REFERENCE);
      String status =
          "{\"sha\":\""
              + Forge.SHA
              + "\",\"state\":\"success\",\"repository\":{\"full_name\":\"GitHub/Hello-World\"}}";
      assertThat(taking().incoming(event("status", status, signed(status))))
          .isInstanceOf(IncomingWitness.Poke.class);
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "",
          "sha256=",
          "sha256=00",
          "sha1=757107ea",
          "sha256=zz7107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
          "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e18"
        })
    void aForgedEventIsRefused(String signature) throws Exception {
      assertThat(status(taking().incoming(event("ping", "Hello, World!", signature))))
          .isEqualTo(401);
    }

    @Test
    void withoutASecretNoEventIsTaken() throws Exception {
      assertThat(status(provider().incoming(event("ping", "{}", signed("{}"))))).isEqualTo(404);
    }
  }
}
