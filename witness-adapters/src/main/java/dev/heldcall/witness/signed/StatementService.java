package dev.heldcall.witness.signed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The outside service: JSON is posted to it, and it says only whether that arrived. */
final class StatementService implements AutoCloseable {

  /** The service answered that it does not take what was posted. */
  static final class NotTaken extends IOException {

    private static final long serialVersionUID = 1L;

    private final int status;

    NotTaken(int status) {
      super("the service answered with status " + status);
      this.status = status;
    }

    /** Whether the same could be taken later. */
    boolean again() {
      return status >= 500 || status == 429 || status == 408 || status == 425;
    }
  }

  private final HttpClient client;
  private final URI url;
  private final ProviderContract contract;
  private final SignedStatementSettings settings;

  StatementService(
      URI url,
      ProviderContract contract,
      SignedStatementSettings settings,
      ProviderServices services) {
    this.url = url;
    this.contract = contract;
    this.settings = settings;
    this.client =
        HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(contract.timeout())
            .executor(services.blocking())
            .build();
  }

  /** Posts; the stage completes when the service has it, and fails otherwise. */
  CompletableFuture<Void> post(ObjectNode body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .timeout(contract.timeout())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()));
    String authorization = settings.authorization();
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    CompletableFuture<HttpResponse<Void>> sent;
    try {
      sent =
          client.sendAsync(
              request.build(),
              BodyHandlers.limiting(BodyHandlers.discarding(), contract.maxAnswerBytes()));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(new IOException("the request could not be sent"));
    }
    return sent.copy()
        .orTimeout(contract.timeout().toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((_, _) -> sent.cancel(true)) // does nothing to one that is done
        .exceptionallyCompose(failure -> CompletableFuture.failedFuture(inWords(failure)))
        .thenCompose(StatementService::taken);
  }

  /** What went wrong, for a person; nothing of what was sent or answered is in it. */
  private static IOException inWords(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    boolean late = cause instanceof TimeoutException || cause instanceof HttpTimeoutException;
    return new IOException(
        late ? "the service did not answer in time" : "the service could not be reached");
  }

  private static CompletableFuture<Void> taken(HttpResponse<Void> response) {
    int status = response.statusCode();
    return status >= 200 && status < 300
        ? CompletableFuture.completedFuture(null)
        : CompletableFuture.failedFuture(new NotTaken(status));
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
