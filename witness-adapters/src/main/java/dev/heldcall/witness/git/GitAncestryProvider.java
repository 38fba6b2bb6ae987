package dev.heldcall.witness.git;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.DurationText;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.evidence.DisclosedArgs;
import dev.heldcall.witness.evidence.EvidenceJson;
import dev.heldcall.witness.evidence.ForeignText;
import dev.heldcall.witness.evidence.Undecidable;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.api.errors.GitAPIException;
import org.eclipse.jgit.lib.Repository;

/**
 * Attests what a repository shows of the commit that a call names. A fact that is false is a deny;
 * a commit that is not there is waited for; a repository that cannot say says so.
 */
final class GitAncestryProvider implements WitnessProvider {

  private final ProviderContract contract;
  private final GitAncestrySettings settings;
  private final ProviderServices services;
  private final Semaphore free;

  GitAncestryProvider(
      ProviderContract contract, GitAncestrySettings settings, ProviderServices services) {
    this.contract = contract;
    this.settings = settings;
    this.services = services;
    this.free = new Semaphore(settings.maxAtOnce());
    IsolatedGit.install();
  }

  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    String repository;
    Question question;
    try {
      DisclosedArgs args = DisclosedArgs.of(request);
      repository = settings.repository().in(args);
      if (!settings.repositories().has(repository)) {
        throw new Undecidable("the call names a repository that is not configured");
      }
      question = QuestionReader.read(settings, args);
    } catch (Undecidable e) {
      return CompletableFuture.completedFuture(e.answer());
    }
    return look(request, repository, question);
  }

  /** There is nothing to remember between two looks: the call says what to look for. */
  @Override
  public CompletionStage<WitnessAnswer> look(WitnessRequest request, String reference) {
    return ask(request);
  }

  private CompletionStage<WitnessAnswer> look(
      WitnessRequest request, String repository, Question question) {
    if (!free.tryAcquire()) {
      return CompletableFuture.completedFuture(
          new WitnessAnswer.Unavailable(
              "as many looks at repositories as configured are running (max-at-once)", true));
    }
    Deadline deadline = new Deadline();
    CompletableFuture<WitnessAnswer> answer = new CompletableFuture<>();
    try {
      services.blocking().execute(() -> run(request, repository, question, deadline, answer));
    } catch (RejectedExecutionException e) {
      free.release();
      answer.complete(new WitnessAnswer.Unavailable("the node takes no work", true));
    }
    WitnessAnswer late =
        new WitnessAnswer.Unavailable(
            "the look at the repository took longer than " + DurationText.of(contract.timeout()),
            true);
    return answer
        .completeOnTimeout(late, contract.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((_, _) -> deadline.end());
  }

  private void run(
      WitnessRequest request,
      String repository,
      Question question,
      Deadline deadline,
      CompletableFuture<WitnessAnswer> answer) {
    try {
      answer.complete(answer(request, repository, question, deadline));
    } catch (IOException e) {
      answer.complete(
          new WitnessAnswer.Unavailable(
              "the repository " + repository + " cannot be read: " + e.getClass().getSimpleName(),
              true));
    } catch (GitAPIException e) {
      answer.complete(
          new WitnessAnswer.Unavailable(
              "the fetch into " + repository + " failed: " + e.getClass().getSimpleName(), true));
    } catch (RuntimeException e) {
      // JGit reports broken objects so; the node's log has nothing to add for whoever reads this.
      answer.complete(
          new WitnessAnswer.Unavailable(
              "the look at " + repository + " failed: " + e.getClass().getSimpleName(), true));
    } finally {
      free.release();
    }
  }

  private WitnessAnswer answer(
      WitnessRequest request, String name, Question question, Deadline deadline)
      throws IOException, GitAPIException {
    Optional<Repository> found = settings.repositories().open(name);
    if (found.isEmpty()) {
      return new WitnessAnswer.Unavailable("the repository " + name + " is not there", true);
    }
    try (Repository repository = found.get()) {
      if (settings.fetch() != null) {
        settings.fetch().run(repository, deadline);
      }
      Finding finding = new CommitExaminer(repository, deadline).examine(question);
      return switch (finding) {
        case Finding.Holds(ObjectNode facts) ->
            attest(request, AttestationDecision.APPROVE, holds(question), name, facts);
        case Finding.IsFalse(String which, ObjectNode facts) ->
            attest(request, AttestationDecision.DENY, which, name, facts);
        case Finding.NotYetThere(String what) ->
            new WitnessAnswer.Waiting(
                name + ":" + question.commit().name(), settings.lookAfter(), what);
        case Finding.CannotTell(String why) -> new WitnessAnswer.Deferred(ForeignText.line(why));
      };
    }
  }

  private static String holds(Question question) {
    return "every fact holds of the commit " + question.commit().name();
  }

  private WitnessAnswer attest(
      WitnessRequest request,
      AttestationDecision decision,
      String reason,
      String repository,
      ObjectNode found) {
    ObjectNode facts = JsonNodeFactory.instance.objectNode().put("repository", repository);
    facts.setAll(found);
    ObjectNode evidence =
        JsonNodeFactory.instance
            .objectNode()
            .put("type", GitAncestryType.KIND)
            .put("digest", EvidenceJson.digest(facts).value());
    evidence.set("facts", facts);
    return WitnessAnswer.Attested.of(
        request.attest(
            "",
            decision,
            ForeignText.line(reason), // a file's name may be anything
            evidence,
            null,
            services.clock().instant(),
            contract.validity()));
  }

  @Override
  public void close() {
    // Repositories are opened for one look and closed after it.
  }
}
