package dev.heldcall.witness.ci;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.witness.ci.CiChecksSettings.Required;
import dev.heldcall.witness.ci.ForgeApi.Said;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads all that is to be known of a commit's checks: the runs of each required check by its name,
 * then the statuses, page by page until as many were read as the forge counts. What is not whole is
 * not judged: what is missing could be a failure.
 */
final class CommitChecks {

  private static final int PAGE = 30;
  private static final int MAX_ITEMS = 1_000;

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

  /** A list that the forge gives in pages. */
  private record Listing(String path, String member, Predicate<JsonNode> ofThisCommit) {}

  /** The whole of a list, or why there is none. */
  private record Listed(List<JsonNode> items, @Nullable Read failure) {
    static Listed failed(Read why) {
      return new Listed(List.of(), why);
    }
  }

  CompletableFuture<Read> of(CommitRef commit) {
    return runs(commit, 0, new ArrayList<>());
  }

  /** The runs of one required check after the other. */
  private CompletableFuture<Read> runs(CommitRef commit, int index, List<JsonNode> runs) {
    if (index == settings.checks().size()) {
      return statuses(commit, runs);
    }
    Required required = settings.checks().get(index);
    Listing listing =
        new Listing(
            commitPath(commit)
                + "/check-runs?filter=latest&check_name="
                + URLEncoder.encode(required.name(), StandardCharsets.UTF_8)
                + "&",
            "check_runs",
            run -> commit.sha().equals(run.path("head_sha").textValue()));
    return list(listing, 1, new ArrayList<>())
        .thenCompose(
            listed -> {
              if (listed.failure() != null) {
                return CompletableFuture.completedFuture(listed.failure());
              }
              runs.addAll(listed.items());
              return runs(commit, index + 1, runs);
            });
  }

  private CompletableFuture<Read> statuses(CommitRef commit, List<JsonNode> runs) {
    if (!ChecksVerdict.needsStatuses(settings.checks(), runs)) {
      return CompletableFuture.completedFuture(new Read.Judged(verdict(runs, List.of())));
    }
    Listing listing = new Listing(commitPath(commit) + "/status?", "statuses", status -> true);
    return list(listing, 1, new ArrayList<>())
        .thenApply(
            listed ->
                listed.failure() == null
                    ? new Read.Judged(verdict(runs, listed.items()))
                    : listed.failure());
  }

  private CompletableFuture<Listed> list(Listing listing, int page, List<JsonNode> items) {
    return api.get(listing.path() + "per_page=" + PAGE + "&page=" + page)
        .thenCompose(
            said -> {
              Listed ended = take(listing, said, items);
              return ended == null
                  ? list(listing, page + 1, items)
                  : CompletableFuture.completedFuture(ended);
            });
  }

  /** Takes a page; null if there are more. */
  private @Nullable Listed take(Listing listing, Said said, List<JsonNode> items) {
    if (!(said instanceof Said.Body(JsonNode body))) {
      return Listed.failed(other(said));
    }
    JsonNode list = body.get(listing.member());
    JsonNode total = body.get("total_count");
    if (list == null || !list.isArray() || total == null || !total.canConvertToInt()) {
      return Listed.failed(
          new Read.Nothing("the forge's answer has no " + listing.member() + " with their number"));
    }
    JsonNode sha = body.get("sha");
    String path = listing.path();
    boolean other =
        (sha != null && !path.contains("/commits/" + sha.asText() + "/"))
            || (listing.member().equals("statuses") && sha == null);
    for (JsonNode item : list) {
      other |= !listing.ofThisCommit().test(item);
      items.add(item);
    }
    if (other) {
      return Listed.failed(new Read.Nothing("the forge answered for another commit"));
    }
    if (items.size() >= total.intValue()) {
      return new Listed(items, null);
    }
    if (list.isEmpty() || items.size() > MAX_ITEMS) {
      return Listed.failed(
          new Read.Nothing(
              "the forge counts "
                  + total.intValue()
                  + " "
                  + listing.member()
                  + " and gave "
                  + items.size()));
    }
    return null;
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
}
