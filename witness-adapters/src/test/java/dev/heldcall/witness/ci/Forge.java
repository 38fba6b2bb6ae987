package dev.heldcall.witness.ci;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers in the shape of GitHub's published examples, abridged to what matters and a little more.
 */
final class Forge {

  /** The commit of the published example of check runs. */
  static final String SHA = "ce587453ced02b1526dfb4cb910479d431683101";

  private Forge() {}

  /** "List check runs for a Git reference". */
  static String runs(String... runs) {
    return "{\"total_count\":"
        + runs.length
        + ",\"check_runs\":["
        + Arrays.stream(runs).collect(Collectors.joining(","))
        + "]}";
  }

  /** One of them. */
  static String run(String name, String status, @Nullable String conclusion, long id, long app) {
    return """
    {
      "id": %d,
      "head_sha": "%s",
      "node_id": "MDg6Q2hlY2tSdW40",
      "external_id": "",
      "url": "https://api.github.com/repos/github/hello-world/check-runs/4",
      "html_url": "https://github.com/github/hello-world/runs/4",
      "status": "%s",
      "conclusion": %s,
      "started_at": "2018-05-04T01:14:52Z",
      "completed_at": "2018-05-04T01:14:52Z",
      "output": { "title": "Mighty Readme report", "summary": "", "text": "", "annotations_count": 2 },
      "name": "%s",
      "check_suite": { "id": 5 },
      "app": { "id": %d, "slug": "octoapp", "name": "Octocat App" },
      "pull_requests": []
    }
    """
        .formatted(
            id, SHA, status, conclusion == null ? "null" : '"' + conclusion + '"', name, app);
  }

  /** "Get the combined status for a specific reference". */
  static String statuses(String sha, String context, String state) {
    return """
    {
      "state": "%s",
      "statuses": [
        {
          "url": "https://api.github.com/repos/octocat/Hello-World/statuses/%s",
          "id": 1,
          "state": "%s",
          "description": "Build has completed",
          "target_url": "https://ci.example.com/1000/output",
          "context": "%s",
          "created_at": "2012-07-20T01:19:13Z",
          "updated_at": "2012-07-20T01:19:13Z"
        }
      ],
      "sha": "%s",
      "total_count": 1,
      "repository": { "id": 1296269, "name": "Hello-World", "full_name": "octocat/Hello-World" }
    }
    """
        .formatted(state, sha, state, context, sha);
  }
}
