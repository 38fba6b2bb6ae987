package dev.heldcall.witness.git;

import static dev.heldcall.witness.FactRequests.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.tck.OtherSide;
import dev.heldcall.plugin.api.tck.WitnessProviderKit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * The compatibility kit on facts of a repository; it refuses nobody, and does not hang or flood.
 */
class GitAncestryKitTest extends WitnessProviderKit {

  @TempDir static Path folder;

  private static FactsRepository facts;

  @BeforeAll
  static void layOut() throws Exception {
    facts = FactsRepository.in(folder);
    Path broken = facts.bare("broken.git");
    Files.writeString(broken.resolve("HEAD"), "\u0000 no ref");
    Files.writeString(broken.resolve("packed-refs"), "\u0000 no ref at all\n");
  }

  @Override
  protected WitnessProviderType type() {
    return new GitAncestryType();
  }

  @Override
  protected Optional<ObjectNode> settings(OtherSide side) {
    String repository =
        switch (side) {
          case WELL -> "app.git";
          case GARBLES -> "broken.git";
          case ABSENT -> "nowhere.git";
          case REFUSES, HANGS, FLOODS -> null;
        };
    if (repository == null) {
      return Optional.empty();
    }
    ObjectNode settings = (ObjectNode) json("{'commit':'/commit','facts':{'ancestor-of':'main'}}");
    settings.putObject("repositories").put("app", facts.path(repository).toString());
    return Optional.of(settings);
  }

  @Override
  protected JsonNode args() {
    return json("{'commit':'" + facts.commit("signed") + "'}");
  }

  @Override
  protected Map<String, JsonNode> mistakes() {
    return Map.of(
        "commit", json("7"),
        "facts", json("{'ancestor':'main'}"),
        "repositories", json("[]"),
        "max-at-once", json("-1"));
  }
}
