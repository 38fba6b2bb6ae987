package dev.heldcall.witness.ci;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingReply.RefusalKind;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.witness.evidence.DisclosedArgs;
import dev.heldcall.witness.evidence.EvidenceJson;
import dev.heldcall.witness.evidence.Undecidable;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Attests that the checks of the commit that a call names have succeeded. While they run it looks
 * again, the more seldom the longer it has been waiting, and at once when the forge says that
 * something happened. It attests about a full commit id only: a branch may point elsewhere by the
 * time the call runs.
 */
final class CiChecksProvider implements WitnessProvider {

  private static final int SHA_LENGTH = 64;

  /** A pause is this part of the time that a request has been out. */
  private static final int PART = 10;

  private final ProviderContract contract;
  private final CiChecksSettings settings;
  private final ProviderServices services;
  private final ForgeApi api;
  private final CommitChecks checks;

  CiChecksProvider(
      ProviderContract contract, CiChecksSettings settings, ProviderServices services) {
    this.contract = contract;
    this.settings = settings;
    this.services = services;
    this.api = new ForgeApi(settings, contract, services);
    this.checks = new CommitChecks(api, settings);
  }

  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    CommitRef commit;
    try {
      commit = commit(DisclosedArgs.of(request));
    } catch (Undecidable e) {
      return CompletableFuture.completedFuture(e.answer());
    }
    return checks.of(commit).thenApply(read -> answer(request, commit, read));
  }

  @Override
  public CompletionStage<WitnessAnswer> look(WitnessRequest request, String reference) {
    return ask(request);
  }

  private CommitRef commit(DisclosedArgs args) throws Undecidable {
    CommitRef commit =
        CommitRef.of(settings.repository().in(args), args.text(settings.commit(), SHA_LENGTH));
    boolean allowed =
        settings.repositories().isEmpty()
            || settings.repositories().contains(commit.repository().toLowerCase(Locale.ROOT));
    if (!allowed) {
      throw new Undecidable("the repository is none of those that may be asked about");
    }
    return commit;
  }

  private WitnessAnswer answer(WitnessRequest request, CommitRef commit, CommitChecks.Read read) {
    return switch (read) {
      case CommitChecks.Read.Judged(ChecksVerdict verdict) -> judged(request, commit, verdict);
      case CommitChecks.Read.Later(Duration pause, String why) ->
          new WitnessAnswer.Waiting(commit.reference(), pause, why);
      case CommitChecks.Read.NoCommit() ->
          waiting(request, commit, "the forge does not know the commit, or not yet");
      case CommitChecks.Read.Nothing(String why) -> new WitnessAnswer.Unavailable(why, true);
    };
  }

  private WitnessAnswer judged(WitnessRequest request, CommitRef commit, ChecksVerdict verdict) {
    if (verdict.succeeded()) {
      return attested(
          request, commit, verdict, AttestationDecision.APPROVE, "all required checks succeeded");
    }
    if (!verdict.failed().isEmpty()) {
      String why = "checks failed: " + String.join(", ", verdict.failed());
      return settings.denyOnFailure()
          ? attested(request, commit, verdict, AttestationDecision.DENY, why)
          : new WitnessAnswer.Deferred(why);
    }
    return waiting(
        request, commit, "checks have not concluded: " + String.join(", ", verdict.pending()));
  }

  private WitnessAnswer waiting(WitnessRequest request, CommitRef commit, String note) {
    Duration out = Duration.between(request.createdAt(), services.clock().instant());
    Duration pause = out.dividedBy(PART);
    if (pause.compareTo(settings.poll()) < 0) {
      pause = settings.poll();
    } else if (pause.compareTo(settings.pollMax()) > 0) {
      pause = settings.pollMax();
    }
    return new WitnessAnswer.Waiting(commit.reference(), pause, note);
  }

  private WitnessAnswer attested(
      WitnessRequest request,
      CommitRef commit,
      ChecksVerdict verdict,
      AttestationDecision decision,
      String reason) {
    ObjectNode observed = JsonNodeFactory.instance.objectNode();
    observed.put("call_digest", request.callDigest().value());
    observed.put("repository", commit.repository()).put("commit", commit.sha());
    observed.set("checks", verdict.facts());
    ObjectNode evidence = JsonNodeFactory.instance.objectNode();
    evidence.put("type", CiChecksType.KIND);
    evidence.put("digest", EvidenceJson.digest(observed).value());
    evidence.put(
        "uri", settings.api() + "/repos/" + commit.repository() + "/commits/" + commit.sha());
    evidence.set("checks", verdict.facts());
    return WitnessAnswer.Attested.of(
        request.attest(
            "", decision, reason, evidence, null, services.clock().instant(), contract.validity()));
  }

  @Override
  public IncomingWitness incoming(IncomingMessage message) {
    String secret = settings.webhookSecret();
    if (secret == null) {
      return refused(
          RefusalKind.NOT_FOUND, "no webhook-secret is configured, so no events are taken");
    }
    if (!ForgeEvent.isSigned(message, secret)) {
      return refused(
          RefusalKind.UNAUTHENTICATED, "X-Hub-Signature-256 is missing or not that of these bytes");
    }
    CommitRef commit = ForgeEvent.commit(message);
    return commit == null
        ? new IncomingWitness.Answered(IncomingReply.text(200, "of no interest"))
        : new IncomingWitness.Poke(commit.reference(), IncomingReply.text(202, "looked at soon"));
  }

  private static IncomingWitness refused(RefusalKind kind, String why) {
    return new IncomingWitness.Answered(IncomingReply.refused(kind, why));
  }

  @Override
  public void close() {
    api.close();
  }
}
