package dev.heldcall.witness.signed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingReply.RefusalKind;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import dev.heldcall.witness.evidence.PostedReplies;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Tells an outside service of a request, and takes in the attestation that the service, or somebody
 * who works with it, signs and posts. What authenticates a post is its signature: its key id says
 * whose it claims to be, and the kernel then verifies it with that principal's registered keys.
 */
final class SignedStatementProvider implements WitnessProvider {

  private static final String SCHEME = "bearer ";

  private final ProviderContract contract;
  private final SignedStatementSettings settings;
  private final @Nullable StatementService service;

  SignedStatementProvider(
      ProviderContract contract, SignedStatementSettings settings, ProviderServices services) {
    this.contract = contract;
    this.settings = settings;
    URI url = settings.url();
    this.service = url == null ? null : new StatementService(url, contract, settings, services);
  }

  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    WitnessAnswer waiting =
        new WitnessAnswer.Waiting(request.requestId(), null, "a signed statement is waited for");
    if (service == null) {
      return CompletableFuture.completedFuture(waiting);
    }
    return service
        .post(StatementRequest.of("request", contract.id(), request))
        .handle((taken, failure) -> failure == null ? waiting : unavailable(failure));
  }

  private static WitnessAnswer unavailable(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    boolean again = !(cause instanceof StatementService.NotTaken notTaken) || notTaken.again();
    return new WitnessAnswer.Unavailable(String.valueOf(cause.getMessage()), again);
  }

  @Override
  public CompletionStage<Void> remind(WitnessRequest request, String reference) {
    return tell(StatementRequest.of("remind", contract.id(), request));
  }

  @Override
  public CompletionStage<Void> withdraw(WitnessWithdrawal withdrawal) {
    return tell(StatementRequest.of(withdrawal));
  }

  private CompletionStage<Void> tell(ObjectNode body) {
    return service == null ? CompletableFuture.completedFuture(null) : service.post(body);
  }

  @Override
  public IncomingWitness incoming(IncomingMessage message) {
    if (!tokenFits(message)) {
      return PostedReplies.refused(
          RefusalKind.UNAUTHENTICATED, "a token is needed beside the signature");
    }
    byte[] body = message.body();
    if (body.length > contract.maxAnswerBytes()) {
      return PostedReplies.refused(
          RefusalKind.TOO_LARGE, "the statement is over " + contract.maxAnswerBytes() + " bytes");
    }
    PostedStatement posted;
    try {
      posted = PostedStatement.read(body);
    } catch (PostedStatement.Malformed e) {
      return PostedReplies.refused(RefusalKind.INVALID, String.valueOf(e.getMessage()));
    }
    PrincipalRef signer = settings.signers().get(posted.keyId());
    if (signer == null) {
      return PostedReplies.refused(
          RefusalKind.FORBIDDEN, "nobody who may sign here has the key '" + posted.keyId() + "'");
    }
    if (!posted.attestation().witnessClass().equals(contract.witnessClass())) {
      return PostedReplies.refused(
          RefusalKind.INVALID,
          "statements here are of the class '" + contract.witnessClass() + "'");
    }
    return new IncomingWitness.Vote(
        posted.heldId(),
        signer,
        posted.attestation(),
        outcome ->
            PostedReplies.of(posted.heldId(), posted.attestation().attestationId(), outcome));
  }

  /** Whether the message shows the token that is asked for, if one is. */
  private boolean tokenFits(IncomingMessage message) {
    String expected = settings.tokenSha256();
    if (expected == null) {
      return true;
    }
    String header = message.header("authorization").orElse("");
    boolean bearer = header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    String token = bearer ? header.substring(SCHEME.length()).strip() : "";
    return MessageDigest.isEqual(HexFormat.of().parseHex(expected), sha256(token));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public void close() {
    if (service != null) {
      service.close();
    }
  }
}
