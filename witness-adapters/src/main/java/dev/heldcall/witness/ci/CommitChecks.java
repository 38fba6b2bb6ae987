package dev.heldcall.witness.ci;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.witness.ci.ForgeApi.Said;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Reads all that is to be known of a commit's checks: check runs page by page, then statuses. */
final class CommitChecks {

  private static final int PAGE = 100;
  private static final int MAX_PAGES = 10;

  private final ForgeApi api;
  private final CiChecksSettings settings;

  CommitChecks(ForgeApi api, CiChecksSettings settings) {
    this.api = api;
    this.settings = settings;
  }

  /** What came of reading. */
  sealed interface Read {
    /** All there is. */
    record Judged(ChecksVerdict verdict) implements Read {}

    /** Later. */
    record Later(Duration pause, String why) implements Read {}

    /** The commit is not there, or not yet. */
    record NoCommit() implements Read {}

    /** Nothing that could be understood. */
    record Nothing(String why) implements Read {}
  }

  CompletableFuture<Read> of(CommitRef commit) {
    return runs(commit, 1, new ArrayList<>());
  }

  private CompletableFuture<Read> runs(CommitRef commit, int page, List<JsonNode> runs) {
    String path =
        commitPath(commit) + "/check-runs?filter=latest&per_page=" + PAGE + "&page=" + page;
    return api.get(path)
        .thenCompose(
            said -> {
              if (!(said instanceof Said.Body(JsonNode body))) {
                return done(other(said));
              }
              JsonNode list = body.get("check_runs");
              if (list == null || !list.isArray()) {
                return done(new Read.Nothing("the forge's answer has no check_runs"));
              }
              for (JsonNode run : list) {
                if (!commit.sha().equals(run.path("head_sha").textValue())) {
                  return done(new Read.Nothing("the forge answered for another commit"));
                }
                runs.add(run);
              }
              boolean more = list.size() == PAGE;
              if (more && page == MAX_PAGES) {
                return done(
                    new Read.Nothing("the commit has more than " + PAGE * MAX_PAGES + " checks"));
              }
              return more ? runs(commit, page + 1, runs) : judged(commit, runs);
            });
  }

  private CompletableFuture<Read> judged(CommitRef commit, List<JsonNode> runs) {
    if (!ChecksVerdict.needsStatuses(settings.checks(), runs)) {
      return done(new Read.Judged(verdict(runs, List.of())));
    }
    return api.get(commitPath(commit) + "/status?per_page=" + PAGE)
        .thenApply(
            said -> {
              if (!(said instanceof Said.Body(JsonNode body))) {
                return other(said);
              }
              if (!commit.sha().equals(body.path("sha").textValue())) {
                return new Read.Nothing("the forge answered for another commit");
              }
              List<JsonNode> statuses = new ArrayList<>();
              body.path("statuses").forEach(statuses::add);
              return new Read.Judged(verdict(runs, statuses));
            });
  }

  private ChecksVerdict verdict(List<JsonNode> runs, List<JsonNode> statuses) {
    return ChecksVerdict.of(settings.checks(), settings.accept(), runs, statuses);
  }

  private static Read other(Said said) {
    return switch (said) {
      case Said.Busy(Duration pause) -> new Read.Later(pause, "the forge's rate limit is reached");
      case Said.Unknown() -> new Read.NoCommit();
      case Said.Nothing(String why) -> new Read.Nothing(why);
      case Said.Body body -> throw new IllegalStateException("a body is read");
    };
  }

  private static String commitPath(CommitRef commit) {
    return "/repos/" + commit.repository() + "/commits/" + commit.sha();
  }

  private static CompletableFuture<Read> done(Read read) {
    return CompletableFuture.completedFuture(read);
  }
}
