package dev.heldcall.kernel.signature;

import dev.heldcall.config.RemoteKeysSettings;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Fetches key sets over HTTP: no redirect is followed, and no more is read than allowed. */
public final class KeySetClient implements AutoCloseable {

  private @Nullable HttpClient client;

  /** Made when it is needed: most nodes never do. */
  private synchronized HttpClient client() {
    HttpClient made = client;
    if (made == null) {
      made =
          HttpClient.newBuilder()
              .followRedirects(HttpClient.Redirect.NEVER)
              .connectTimeout(Duration.ofSeconds(10))
              .build();
      client = made;
    }
    return made;
  }

  /** Where the set is fetched from. */
  public RemoteKeySet.Source source(RemoteKeysSettings settings) {
    HttpRequest request =
        HttpRequest.newBuilder(settings.url())
            .timeout(settings.timeout())
            .header("Accept", "application/jwk-set+json, application/json")
            .GET()
            .build();
    return () ->
        client()
            .sendAsync(
                request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), settings.maxBytes()))
            .thenCompose(KeySetClient::body);
  }

  private static CompletableFuture<byte[]> body(HttpResponse<byte[]> response) {
    return response.statusCode() == 200
        ? CompletableFuture.completedFuture(response.body())
        : CompletableFuture.failedFuture(
            new IOException("it was answered with status " + response.statusCode()));
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.shutdownNow();
    }
  }
}
