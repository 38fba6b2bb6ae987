package dev.heldcall.gateway.product;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.AttestationDecision;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.IncomingMessage;
import dev.heldcall.plugin.api.IncomingReply;
import dev.heldcall.plugin.api.IncomingWitness;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.PrincipalRef;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.WitnessRequest;
import dev.heldcall.plugin.api.WitnessWithdrawal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A provider of the tests: says what {@link WitnessServer} tells it to say. */
final class ScriptedProvider implements WitnessProvider {

  /** Its kind, {@code scripted}. */
  public static final class Type implements WitnessProviderType {

    /** For the service loader. */
    public Type() {}

    @Override
    public String kind() {
      return "scripted";
    }

    @Override
    public boolean repeatable() {
      return true;
    }

    @Override
    public WitnessProvider create(
        ProviderContract contract, JsonNode settings, ProviderServices services)
        throws InvalidProviderSettings {
      if (!settings.path("url").isTextual()) {
        throw new InvalidProviderSettings("url", "where the script is");
      }
      return new ScriptedProvider(
          contract,
          URI.create(settings.path("url").asText()),
          settings.path("finds-out").asBoolean(),
          services);
    }
  }

  private final HttpClient client = HttpClient.newHttpClient();
  private final ProviderContract contract;
  private final URI script;
  private final boolean findsOut;
  private final ProviderServices services;

  private ScriptedProvider(
      ProviderContract contract, URI script, boolean findsOut, ProviderServices services) {
    this.contract = contract;
    this.script = script;
    this.findsOut = findsOut;
    this.services = services;
  }

  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    return post("ask", body(request)).handle((word, failure) -> answer(request, word, failure));
  }

  @Override
  public CompletionStage<WitnessAnswer> look(WitnessRequest request, String reference) {
    return post("look", body(request)).handle((word, failure) -> answer(request, word, failure));
  }

  @Override
  public CompletionStage<WitnessAnswer> recover(WitnessRequest request) {
    return findsOut
        ? post("recover", body(request)).handle((word, failure) -> answer(request, word, failure))
        : WitnessProvider.super.recover(request);
  }

  @Override
  public CompletionStage<Void> withdraw(WitnessWithdrawal withdrawal) {
    return post(
            "withdraw",
            Json.of(
                "held_id", withdrawal.heldId(),
                "request_id", withdrawal.requestId(),
                "reference", withdrawal.reference(),
                "reason", withdrawal.reason()))
        .thenApply(done -> null);
  }

  private static ObjectNode body(WitnessRequest request) {
    JsonNode args = request.args();
    return Json.of(
        "request_id", request.requestId(),
        "held_id", request.heldId(),
        "generation", request.generation(),
        "args", args == null ? Json.of() : args);
  }

  private CompletableFuture<String> post(String what, JsonNode body) {
    return client
        .sendAsync(
            HttpRequest.newBuilder(script.resolve("/" + what + "/" + contract.id()))
                .POST(HttpRequest.BodyPublishers.ofString(body.toString(), UTF_8))
                .build(),
            HttpResponse.BodyHandlers.ofString(UTF_8))
        .thenApply(HttpResponse::body);
  }

  private WitnessAnswer answer(
      WitnessRequest request, @Nullable String word, @Nullable Throwable failure) {
    if (failure != null || word == null) {
      return new WitnessAnswer.Unavailable("the script cannot be reached", true);
    }
    return switch (word) {
      case "approve" -> attested(request, AttestationDecision.APPROVE);
      case "deny" -> attested(request, AttestationDecision.DENY);
      case "defer" -> new WitnessAnswer.Deferred("it cannot tell");
      case "wait" -> new WitnessAnswer.Waiting("ref-" + request.requestId(), null, "asked");
      case "throw" -> throw new IllegalStateException("the provider is broken");
      case "other-call" -> WitnessAnswer.Attested.of(ofAnotherCall(word(request)));
      default -> new WitnessAnswer.Unavailable("the answer is none", false);
    };
  }

  private WitnessAnswer attested(WitnessRequest request, AttestationDecision decision) {
    return WitnessAnswer.Attested.of(
        request.attest(
            "",
            decision,
            decision + " of the script",
            null,
            null,
            services.clock().instant(),
            contract.validity()));
  }

  private Attestation word(WitnessRequest request) {
    return request.attest(
        "",
        AttestationDecision.APPROVE,
        null,
        null,
        null,
        services.clock().instant(),
        contract.validity());
  }

  private static Attestation ofAnotherCall(Attestation of) {
    return new Attestation(
        of.attestationId(),
        of.generation(),
        new Digest("sha256:" + "0".repeat(64)),
        of.contractDigest(),
        of.witnessClass(),
        of.decision(),
        of.reason(),
        null,
        of.issuedAt(),
        of.expiresAt(),
        null);
  }

  @Override
  public IncomingWitness incoming(IncomingMessage message) {
    if (!message.header("X-Script").equals(java.util.Optional.of("the script"))) {
      return new IncomingWitness.Answered(IncomingReply.text(401, "not the script"));
    }
    JsonNode body = read(new String(message.body(), UTF_8));
    if (body.has("poke")) {
      return new IncomingWitness.Poke(body.path("poke").asText(), IncomingReply.text(202, "poked"));
    }
    Instant now = Instant.parse(body.path("at").asText());
    return new IncomingWitness.Vote(
        body.path("held_id").asText(),
        new PrincipalRef(contract.identity().org(), "main", body.path("who").asText()),
        new Attestation(
            body.path("id").asText(),
            body.path("generation").asInt(),
            new Digest(body.path("call_digest").asText()),
            new Digest(body.path("contract_digest").asText()),
            body.path("class").asText(),
            AttestationDecision.APPROVE,
            null,
            null,
            now,
            now.plusSeconds(3600),
            null),
        outcome ->
            IncomingReply.json(
                200,
                Json.of("disposition", outcome.disposition().name(), "reason", outcome.reason())));
  }

  private static JsonNode read(String body) {
    if (!body.startsWith("{")) {
      throw new IllegalArgumentException("not a message of the script");
    }
    return Json.tree(body);
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
