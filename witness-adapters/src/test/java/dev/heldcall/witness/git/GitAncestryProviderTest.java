package dev.heldcall.witness.git;

import static dev.heldcall.plugin.api.AttestationDecision.APPROVE;
import static dev.heldcall.plugin.api.AttestationDecision.DENY;
import static dev.heldcall.witness.FactRequests.ask;
import static dev.heldcall.witness.FactRequests.asking;
import static dev.heldcall.witness.FactRequests.attested;
import static dev.heldcall.witness.FactRequests.contract;
import static dev.heldcall.witness.FactRequests.deferred;
import static dev.heldcall.witness.FactRequests.digestOnly;
import static dev.heldcall.witness.FactRequests.evidence;
import static dev.heldcall.witness.FactRequests.hiding;
import static dev.heldcall.witness.FactRequests.json;
import static dev.heldcall.witness.FactRequests.services;
import static dev.heldcall.witness.FactRequests.unavailable;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.FactRequests;
import dev.heldcall.witness.evidence.EvidenceJson;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.RefUpdate;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.storage.file.FileRepositoryBuilder;
import org.eclipse.jgit.util.SystemReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each fact, true and false, on a repository that git wrote and ssh-keygen signed; long because the
 * facts are many and every one has its ways to be false.
 */
class GitAncestryProviderTest {

  @TempDir static Path folder;

  private static FactsRepository facts;

  @BeforeAll
  static void layOut() throws Exception {
    facts = FactsRepository.in(folder);
  }

  private static WitnessAnswer look(String facts, String commit) throws Exception {
    return ask(provider(facts), of(commit));
  }

  private static WitnessRequest of(String commit) {
    return asking("{'commit':'" + commit + "'}");
  }

  private static WitnessProvider provider(String settings) throws Exception {
    return provider(settings, services());
  }

  private static WitnessProvider provider(String facts, ProviderServices services)
      throws Exception {
    return of(
        "'repositories':{'app':'"
            + GitAncestryProviderTest.facts.path("app.git")
            + "'},'facts':{"
            + facts
            + "}",
        services);
  }

  private static WitnessProvider of(String settings, ProviderServices services) throws Exception {
    return new GitAncestryType()
        .create(contract("git-ancestry"), json("{'commit':'/commit'," + settings + "}"), services);
  }

  private static String signers(String more) {
    return "'signed-by':{'allowed-signers':'" + facts.path("allowed_signers") + "'" + more + "}";
  }

  private static String denied(WitnessAnswer answer, String commit) {
    String reason = attested(answer, of(commit), DENY).reason();
    return reason == null ? "" : reason;
  }

  @Nested
  class Ancestry {

    @ParameterizedTest
    @ValueSource(strings = {"first", "signed", "tip"})
    void aCommitInTheBranchIsApproved(String name) throws Exception {
      String commit = facts.commit(name);
      WitnessAnswer answer = look("'ancestor-of':'main'", commit);

      JsonNode evidence = evidence(attested(answer, of(commit), APPROVE));
      assertThat(evidence.path("type").asText()).isEqualTo("git-ancestry");
      assertThat(evidence.path("facts"))
          .isEqualTo(
              json(
                  "{'repository':'app','commit':'"
                      + commit
                      + "','ancestor_of':{'ref':'main','tip':'"
                      + facts.commit("tip")
                      + "','holds':true}}"));
      assertThat(evidence.path("digest").asText())
          .isEqualTo(EvidenceJson.digest(evidence.path("facts")).value());
    }

    @ParameterizedTest
    @ValueSource(strings = {"stranger", "retired", "forged"})
    void aCommitBesideTheBranchIsDenied(String name) throws Exception {
      String commit = facts.commit(name);
      assertThat(denied(look("'ancestor-of':'main'", commit), commit))
          .contains("is not an ancestor of main")
          .contains(facts.commit("tip"));
    }

    @Test
    void aTagOfTheBranchsNameIsNotTheBranch() throws Exception {
      // The tag "main" stands one commit before the branch's tip.
      String commit = facts.commit("tip");
      attested(look("'ancestor-of':'main'", commit), of(commit), APPROVE);
    }

    @Test
    void somethingElseThanACommitIsDenied() throws Exception {
      String blob = facts.commit("blob");
      String tag =
          facts.insert(
              "app.git",
              Constants.OBJ_TAG,
              "object "
                  + facts.commit("tip")
                  + "\ntype commit\ntag t\ntagger A <a@b> 0 +0000\n\nx\n");
      for (String id : new String[] {blob, tag}) {
        assertThat(denied(look("'ancestor-of':'main'", id), id)).contains("is not a commit");
      }
    }

    @Test
    void aBranchThatIsNotThereCannotBeTold() throws Exception {
      assertThat(deferred(look("'ancestor-of':'release'", facts.commit("tip"))))
          .isEqualTo("the repository has no branch release");
    }

    @Test
    void aBranchOfTheCallsChoiceIsOneOfThoseConfigured() throws Exception {
      String choice = "'ancestor-of':{'args':'/branch','one-of':['main','feature']}";
      String tip = facts.commit("stranger");
      WitnessRequest feature = asking("{'commit':'" + tip + "','branch':'feature'}");
      attested(ask(provider(choice), feature), feature, APPROVE);
      WitnessRequest main = asking("{'commit':'" + tip + "','branch':'main'}");
      attested(ask(provider(choice), main), main, DENY);
      for (String branch : new String[] {"retired", "../../HEAD", "refs/heads/main", ""}) {
        WitnessRequest other = asking("{'commit':'" + tip + "','branch':'" + branch + "'}");
        assertThat(deferred(ask(provider(choice), other)))
            .isEqualTo("the call names a branch that is not one of those configured");
      }
    }
  }

  @Nested
  class Signature {

    @ParameterizedTest
    @ValueSource(strings = {"signed", "tip"})
    void byAnAllowedKeyIsApproved(String name) throws Exception {
      String commit = facts.commit(name);
      Attestation attestation = attested(look(signers(""), commit), of(commit), APPROVE);
      JsonNode evidence = evidence(attestation);
      JsonNode signed = evidence.path("facts").path("signed_by");
      assertThat(signed.path("signer").asText()).isEqualTo("release@acme.example");
      assertThat(signed.path("key").asText()).startsWith("SHA256:");
    }

    @ParameterizedTest
    @CsvSource({
      "unsigned, is not signed",
      "stranger, is not signed by an allowed key",
      "forged, is not signed by an allowed key",
      "pgp, bears another signature than an SSH one",
      "purpose, is not signed by an allowed key"
    })
    void ofAnyOtherKindIsDenied(String name, String reason) throws Exception {
      String commit = facts.commit(name);
      assertThat(denied(look(signers(""), commit), commit)).contains(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "U1NIU0lH", "U1NIU0lHAAAAAQAAADM=", "????"})
    void thatIsMalformedIsDenied(String content) throws Exception {
      String raw =
          """
          tree %s
          author A <a@b> 0 +0000
          committer A <a@b> 0 +0000
          gpgsig -----BEGIN SSH SIGNATURE-----
           %s
           -----END SSH SIGNATURE-----

          x
          """
              .formatted(Constants.EMPTY_TREE_ID.name(), content);
      String commit = facts.insert("app.git", Constants.OBJ_COMMIT, raw);
      assertThat(denied(look(signers(""), commit), commit)).contains("not signed by an allowed");
    }

    @Test
    void byARevokedKeyIsDenied() throws Exception {
      String commit = facts.commit("retired");
      attested(look(signers(""), commit), of(commit), APPROVE);
      String revoking = signers(",'revoked-keys':'" + facts.path("revoked_keys") + "'");
      assertThat(denied(look(revoking, commit), commit)).contains("not signed by an allowed key");
    }

    @Test
    void isNotJudgedWithoutTheFileOfRevokedKeys() throws Exception {
      Path gone = folder.resolve("gone_keys");
      Files.writeString(gone, "");
      WitnessProvider provider = provider(signers(",'revoked-keys':'" + gone + "'"));
      Files.delete(gone);
      assertThat(unavailable(ask(provider, of(facts.commit("retired"))), true))
          .contains("cannot be read");
    }

    @Test
    void isNotTheRepositorysToAllow() throws Exception {
      Path own = facts.bare("own-signers.git");
      Path allowed = folder.resolve("nobody");
      Files.writeString(allowed, "# nobody\n");
      Files.writeString(
          own.resolve("config"),
          "[gpg]\n\tformat = ssh\n[gpg \"ssh\"]\n\tallowedSignersFile = "
              + facts.path("allowed_signers")
              + "\n",
          java.nio.file.StandardOpenOption.APPEND);
      String commit = facts.commit("signed");
      WitnessProvider provider =
          of(
              "'repositories':{'app':'"
                  + own
                  + "'},'facts':{'signed-by':{'allowed-signers':'"
                  + allowed
                  + "'}}",
              services());
      assertThat(denied(ask(provider, of(commit)), commit)).contains("not signed by an allowed");
    }
  }

  @Nested
  class UnchangedPaths {

    private static final String DEPLOY = "'unchanged':{'base':'main','paths':['deploy','.github']}";

    @Test
    void areApproved() throws Exception {
      String commit = facts.commit("retired");
      JsonNode evidence = evidence(attested(look(DEPLOY, commit), of(commit), APPROVE));
      assertThat(evidence.path("facts").path("unchanged").path("base").asText())
          .isEqualTo(facts.commit("tip"));
    }

    @ParameterizedTest
    @CsvSource({
      "stranger, deploy/prod.yaml", // another content
      "remoded, deploy/prod.yaml", // the same content, now executable
      "relinked, deploy/link" // a link to elsewhere
    })
    void areDeniedWhenOneChanges(String name, String path) throws Exception {
      String commit = facts.commit(name);
      assertThat(denied(look(DEPLOY, commit), commit))
          .isEqualTo("the commit changes the path " + path);
    }

    @Test
    void areNotOnesThatNeitherSideHas() throws Exception {
      String misspelt = "'unchanged':{'base':'main','paths':['deplyo']}";
      assertThat(deferred(look(misspelt, facts.commit("stranger"))))
          .isEqualTo("neither the commit nor its base has the path deplyo");
    }

    @Test
    void areNotFollowedThroughLinks() throws Exception {
      String through = "'unchanged':{'base':'main','paths':['deploy/link/passwd']}";
      assertThat(deferred(look(through, facts.commit("tip")))).contains("deploy/link/passwd");
    }

    @Test
    void areComparedWithABaseOfTheCalls() throws Exception {
      String own = "'unchanged':{'base':{'args':'/base'},'paths':[{'args':'/path'},'deploy']}";
      String args = "{'commit':'%s','base':'%s','path':'app/main.txt'}";
      String tip = facts.commit("tip");
      WitnessRequest same = asking(args.formatted(tip, facts.commit("signed")));
      attested(ask(provider(own), same), same, APPROVE);
      WitnessRequest other = asking(args.formatted(tip, facts.commit("first")));
      assertThat(attested(ask(provider(own), other), other, DENY).reason())
          .isEqualTo("the commit changes the path app/main.txt");
      WitnessRequest branch = asking(args.formatted(tip, "main"));
      assertThat(deferred(ask(provider(own), branch))).contains("full id");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../app", "/etc/passwd", "deploy/", "a//b", "", ".", "a/../b"})
    void areNoPathsOfADisk(String path) throws Exception {
      String own = "'unchanged':{'base':'main','paths':[{'args':'/path'}]}";
      WitnessRequest request =
          asking("{'commit':'" + facts.commit("tip") + "','path':'" + path + "'}");
      assertThat(deferred(ask(provider(own), request)))
          .isEqualTo("the call names a path that no tree of git can have");
    }
  }

  @Nested
  class SeveralFacts {

    @Test
    void mustAllHold() throws Exception {
      String all =
          "'ancestor-of':'main',"
              + signers("")
              + ",'unchanged':{'base':'main','paths':"
              + "['deploy']}";
      String tip = facts.commit("tip");
      attested(look(all, tip), of(tip), APPROVE);
      String first = facts.commit("first"); // in main, unchanged, and unsigned
      assertThat(denied(look(all, first), first)).contains("is not signed");
    }

    @Test
    void oneThatIsFalseOutweighsOneThatCannotBeTold() throws Exception {
      String commit = facts.commit("unsigned");
      assertThat(denied(look("'ancestor-of':'gone'," + signers(""), commit), commit))
          .contains("is not signed");
    }
  }

  @Nested
  class WhatACallNames {

    @ParameterizedTest
    @ValueSource(
        strings = {
          "main",
          "HEAD",
          "e880eb43",
          "E880EB4311B559B7D785DCF53E4FE18D036E2518",
          "refs/heads/main",
          "../../objects",
          "main^{tree}"
        })
    void isAFullIdAndNothingElse(String commit) throws Exception {
      assertThat(deferred(look("'ancestor-of':'main'", commit)))
          .startsWith("the call names no commit by its full id");
    }

    @Test
    void mustBeDisclosed() throws Exception {
      WitnessProvider provider = provider("'ancestor-of':'main'");
      assertThat(deferred(ask(provider, digestOnly())))
          .isEqualTo("the arguments are not disclosed to it: /commit");
      String args = "{'commit':'" + facts.commit("tip") + "'}";
      assertThat(deferred(ask(provider, hiding(args, "/commit"))))
          .isEqualTo("the arguments are not disclosed to it: /commit");
      attested(ask(provider, hiding(args, "/commits")), of(facts.commit("tip")), APPROVE);
      assertThat(deferred(ask(provider, asking("{}"))))
          .isEqualTo("the arguments have nothing at /commit");
      assertThat(deferred(ask(provider, asking("{'commit':7}"))))
          .isEqualTo("the argument /commit is not text");
    }

    @Test
    void isARepositoryByItsConfiguredName() throws Exception {
      Path other = facts.empty("other.git");
      WitnessProvider provider =
          of(
              "'repositories':{'app':'"
                  + facts.path("app.git")
                  + "','other':'"
                  + other
                  + "'},'repository':{'args':'/repo'},'facts':{'ancestor-of':'main'}",
              services());
      String args = "{'commit':'" + facts.commit("tip") + "','repo':'%s'}";
      WitnessRequest app = asking(args.formatted("app"));
      attested(ask(provider, app), app, APPROVE);
      assertThat(ask(provider, asking(args.formatted("other"))))
          .isInstanceOf(WitnessAnswer.Waiting.class);
      for (String name : new String[] {"../app.git", other.toString(), "App"}) {
        assertThat(deferred(ask(provider, asking(args.formatted(name)))))
            .isEqualTo("the call names a repository that is not configured");
      }
    }
  }

  @Nested
  class Repositories {

    private WitnessProvider on(Path path, String more) throws Exception {
      return of(
          "'repositories':{'app':'" + path + "'},'facts':{'ancestor-of':'main'}" + more,
          services());
    }

    @Test
    void areReadWithoutTheHostsConfiguration() throws Exception {
      provider("'ancestor-of':'main'");
      SystemReader reader = SystemReader.getInstance();
      assertThat(reader.getUserConfig().getSections()).isEmpty();
      assertThat(reader.getSystemConfig().getSections()).isEmpty();
      assertThat(reader.getJGitConfig().getSections()).isEmpty();
      assertThat(reader.getenv("GIT_DIR")).isNull();
    }

    @Test
    void mayHaveAWorkTree() throws Exception {
      WitnessRequest request = of(facts.commit("tip"));
      attested(ask(on(facts.withWorkTree("tree"), ""), request), request, APPROVE);
    }

    @Test
    void thatAreNotThereMayCome() throws Exception {
      WitnessRequest request = of(facts.commit("tip"));
      Path later = facts.path("later.git");
      WitnessProvider provider = on(later, "");
      assertThat(unavailable(ask(provider, request), true))
          .isEqualTo("the repository app is not there");
      facts.bare("later.git");
      attested(ask(provider, request), request, APPROVE);
    }

    @Test
    void areNoLinksToOthers() throws Exception {
      Path link = facts.path("link.git");
      Files.createSymbolicLink(link, facts.path("app.git"));
      assertThat(unavailable(ask(on(link, ""), of(facts.commit("tip"))), true))
          .isEqualTo("the repository app is not there");
    }

    @Test
    void areWaitedForUntilTheyHaveTheCommit() throws Exception {
      Path empty = facts.empty("empty.git");
      WitnessProvider provider = on(empty, ",'look-after':'7s'");
      WitnessRequest request = of(facts.commit("tip"));
      WitnessAnswer.Waiting waiting = (WitnessAnswer.Waiting) ask(provider, request);
      assertThat(waiting.lookAfter()).isEqualTo(Duration.ofSeconds(7));
      assertThat(waiting.note()).contains("has no commit " + facts.commit("tip"));
      facts.fill(empty);
      WitnessAnswer then = provider.look(request, waiting.reference()).toCompletableFuture().join();
      attested(then, request, APPROVE);
    }

    @Test
    void areFetchedBeforeTheLook() throws Exception {
      Path clone = facts.empty("clone.git");
      Files.writeString(
          clone.resolve("config"),
          "[remote \"origin\"]\n\turl = "
              + facts.path("app.git").toUri()
              + "\n\tfetch = +refs/heads/*:refs/heads/*\n",
          java.nio.file.StandardOpenOption.APPEND);
      WitnessRequest request = of(facts.commit("tip"));
      String fetch = ",'fetch':{'remote':'origin','timeout':'5s'}";
      attested(ask(on(clone, fetch), request), request, APPROVE);
      assertThat(unavailable(ask(on(facts.path("app.git"), fetch), request), true))
          .startsWith("the fetch into app failed");
    }

    @Test
    void thatAreShallowProveOnlyWhatTheyShow() throws Exception {
      Path shallow = facts.bare("shallow.git");
      Files.writeString(shallow.resolve("shallow"), facts.commit("tip") + "\n");
      WitnessProvider provider = on(shallow, "");
      WitnessRequest tip = of(facts.commit("tip"));
      attested(ask(provider, tip), tip, APPROVE);
      assertThat(deferred(ask(provider, of(facts.commit("first")))))
          .contains("shallow clone, which does not show");
      assertThat(deferred(ask(provider, of("f".repeat(40)))))
          .contains("a shallow clone without the commit");
    }

    @Test
    void thatLackObjectsCannotTell() throws Exception {
      Path partial = facts.empty("partial.git");
      try (Repository repository =
          new FileRepositoryBuilder().setGitDir(partial.toFile()).build()) {
        String lost = "a".repeat(40);
        String commit =
            "tree "
                + Constants.EMPTY_TREE_ID.name()
                + "\nparent "
                + lost
                + "\nauthor A <a@b> 0 +0000\ncommitter A <a@b> 0 +0000\n\nx\n";
        ObjectId tip;
        ObjectId other;
        try (var inserter = repository.newObjectInserter()) {
          tip = inserter.insert(Constants.OBJ_COMMIT, commit.getBytes(StandardCharsets.UTF_8));
          other =
              inserter.insert(
                  Constants.OBJ_COMMIT,
                  commit.replace("\nx\n", "\ny\n").getBytes(StandardCharsets.UTF_8));
          inserter.flush();
        }
        RefUpdate update = repository.updateRef("refs/heads/main");
        update.setNewObjectId(tip);
        update.setCheckConflicting(false);
        assertThat(update.forceUpdate())
            .isIn(Set.of(RefUpdate.Result.NEW, RefUpdate.Result.FORCED));
        assertThat(deferred(ask(on(partial, ""), of(other.name()))))
            .isEqualTo("the repository is not whole: it lacks the object " + lost);
      }
    }
  }

  @Nested
  class Bounds {

    /** Runs nothing until told to. */
    private static ProviderServices held(ConcurrentLinkedQueue<Runnable> work) {
      return new ProviderServices(() -> FactRequests.NOW, work::add);
    }

    @Test
    void aLookThatTakesTooLongIsUnavailableAndEnds() throws Exception {
      ConcurrentLinkedQueue<Runnable> work = new ConcurrentLinkedQueue<>();
      WitnessProvider provider =
          new GitAncestryType()
              .create(
                  contract("git-ancestry", Duration.ofMillis(50)),
                  json(
                      "{'commit':'/commit','max-at-once':1,'repositories':{'app':'"
                          + facts.path("app.git")
                          + "'},'facts':{'ancestor-of':'main'}}"),
                  held(work));
      assertThat(unavailable(ask(provider, of(facts.commit("tip"))), true))
          .contains("took longer than 50ms");
      // It still holds its place, so that nobody piles looks upon a disk that does not answer.
      assertThat(unavailable(ask(provider, of(facts.commit("tip"))), true)).contains("max-at-once");
      work.remove().run();
      assertThat(unavailable(ask(provider, of(facts.commit("tip"))), true)).contains("took longer");
      assertThat(work).hasSize(1);
    }

    @Test
    void aWalkEndsWhenNobodyWaitsForIt() throws Exception {
      Deadline deadline = new Deadline();
      deadline.end();
      try (Repository repository =
          new FileRepositoryBuilder().setGitDir(facts.path("app.git").toFile()).build()) {
        CommitExaminer examiner = new CommitExaminer(repository, deadline);
        Question question =
            new Question(ObjectId.fromString(facts.commit("tip")), "main", null, null);
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> examiner.examine(question))
            .isInstanceOf(Deadline.Over.class);
      }
    }
  }
}
