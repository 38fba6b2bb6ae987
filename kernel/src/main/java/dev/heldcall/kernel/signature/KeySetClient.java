package dev.heldcall.kernel.signature;

import dev.heldcall.config.RemoteKeysSettings;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** Fetches key sets over HTTP: no redirect is followed, and no more is read than allowed. */
public final class KeySetClient implements AutoCloseable {

  private final HttpClient client =
      HttpClient.newBuilder()
          .followRedirects(HttpClient.Redirect.NEVER)
          .connectTimeout(java.time.Duration.ofSeconds(10))
          .build();

  /** Where the set is fetched from. */
  public RemoteKeySet.Source source(RemoteKeysSettings settings) {
    HttpRequest request =
        HttpRequest.newBuilder(settings.url())
            .timeout(settings.timeout())
            .header("Accept", "application/jwk-set+json, application/json")
            .GET()
            .build();
    return () ->
        client
            .sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), settings.maxBytes()))
            .thenCompose(KeySetClient::body);
  }

  private static CompletableFuture<byte[]> body(HttpResponse<byte[]> response) {
    return response.statusCode() == 200
        ? CompletableFuture.completedFuture(response.body())
        : CompletableFuture.failedFuture(
            new IOException("it was answered with status " + response.statusCode()));
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
