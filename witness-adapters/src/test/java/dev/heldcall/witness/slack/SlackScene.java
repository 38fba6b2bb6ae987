package dev.heldcall.witness.slack;

import static dev.heldcall.witness.FactRequests.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Disclosure;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import dev.heldcall.witness.FactRequests;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A workspace, and a provider that asks there. */
final class SlackScene implements AutoCloseable {

  static final String LINK = "https://heldcall.example/held/hc_test";
  static final Duration TIMEOUT = Duration.ofSeconds(10);

  private volatile Instant now = FactRequests.NOW;
  private final SlackWorkspace workspace = new SlackWorkspace(FactRequests.NOW);
  private WitnessProvider provider = provider(settings(), TIMEOUT, false);

  SlackWorkspace workspace() {
    return workspace;
  }

  WitnessProvider provider() {
    return provider;
  }

  Instant now() {
    return now;
  }

  void passes(Duration time) {
    now = now.plus(time);
  }

  /** Settings that ask in the workspace. */
  ObjectNode settings() {
    ObjectNode settings =
        (ObjectNode)
            json(
                "{'people':{'U2CERLKJA':{'id':'alice'},'U3KQ9':{'id':'bob','project':'finance'}},"
                    + "'remind':['5m','30m']}");
    return settings
        .put("token", SlackWorkspace.TOKEN)
        .put("signing-secret", SlackWorkspace.SECRET)
        .put("api", workspace.server().url() + "/api")
        .put("hooks", workspace.server().url())
        .put("channel", SlackWorkspace.CHANNEL);
  }

  /** From now on another node asks, by other settings perhaps. */
  void restarts(ObjectNode settings, Duration timeout) {
    provider.close();
    provider = provider(settings, timeout, false);
  }

  /** From now on the configuration says that asking twice is harmless. */
  void mayBeAskedTwice() {
    provider.close();
    provider = provider(settings(), TIMEOUT, true);
  }

  private static ProviderContract contract(Duration timeout, boolean repeatable) {
    ProviderContract like = FactRequests.contract("slack", timeout);
    return new ProviderContract(
        like.id(),
        like.kind(),
        like.witnessClass(),
        like.identity(),
        like.cost(),
        like.timeout(),
        like.patience(),
        repeatable,
        like.onNestedRefused(),
        like.disclosure(),
        like.validity(),
        like.maxAnswerBytes());
  }

  private WitnessProvider provider(ObjectNode settings, Duration timeout, boolean repeatable) {
    try {
      return new SlackType()
          .create(
              contract(timeout, repeatable),
              settings,
              new ProviderServices(() -> now, Executors.newVirtualThreadPerTaskExecutor()));
    } catch (InvalidProviderSettings e) {
      throw new IllegalStateException(e);
    }
  }

  /** A request with these arguments and a link. */
  static WitnessRequest asking(JsonNode args) {
    return asking(args, Disclosure.FULL, List.of(), LINK);
  }

  static WitnessRequest asking(
      @Nullable JsonNode args, Disclosure disclosure, List<String> leftOut, @Nullable String link) {
    WitnessRequest like = FactRequests.asking("{}");
    return new WitnessRequest(
        like.requestId(),
        like.heldId(),
        like.generation(),
        like.callDigest(),
        like.contractDigest(),
        like.witnessClass(),
        like.boundary(),
        like.tool(),
        like.argsDigest(),
        args,
        disclosure,
        leftOut,
        like.proposer(),
        like.proposerModelFamily(),
        like.createdAt(),
        like.expiresAt(),
        link);
  }

  /** Asks. */
  WitnessAnswer ask(WitnessRequest request) {
    return said(provider.ask(request));
  }

  /** Asks, and gives the message that is posted. */
  ObjectNode posted(WitnessRequest request) {
    WitnessAnswer answer = ask(request);
    if (!(answer instanceof WitnessAnswer.Waiting)) {
      throw new AssertionError("not posted: " + answer);
    }
    return workspace.messages().getLast();
  }

  WitnessAnswer recover(WitnessRequest request) {
    return said(provider.recover(request));
  }

  /** Somebody clicks now. */
  IncomingWitness click(JsonNode message, String user, String decision) {
    return provider.incoming(
        SlackWorkspace.click(workspace.payload(message, user, "heldcall_" + decision, now), now));
  }

  static WitnessWithdrawal withdrawal(WitnessRequest request, String reference, String reason) {
    return new WitnessWithdrawal(
        request.requestId(), request.heldId(), request.tool(), reference, reason);
  }

  static <T> T said(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    provider.close();
    workspace.close();
  }
}
