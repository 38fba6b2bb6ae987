package dev.heldcall.gateway.product;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.heldcall.config.SettingsException;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A desk outside is told of calls by webhooks, and posts people's words. */
class DeskWitnessTest {

  private static final String KEY = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  @TempDir Path folder;

  private final ToolServer tools = new ToolServer();
  private final List<JsonNode> told = new CopyOnWriteArrayList<>();
  private final HttpServer desk =
      HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);

  DeskWitnessTest() throws IOException {
    desk.createContext("/", this::take);
    desk.start();
  }

  @AfterEach
  void close() {
    desk.stop(0);
    tools.close();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      String id = exchange.getRequestHeaders().getFirst("webhook-id");
      String seconds = exchange.getRequestHeaders().getFirst("webhook-timestamp");
      String signature = exchange.getRequestHeaders().getFirst("webhook-signature");
      boolean signed = signature(id, seconds, body).equals(signature);
      if (signed) {
        told.add(Json.tree(body));
      }
      exchange.sendResponseHeaders(signed ? 204 : 401, -1);
    }
  }

  private static String signature(String id, String seconds, String body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
      byte[] signed = mac.doFinal((id + "." + seconds + "." + body).getBytes(UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(signed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private String hocon() {
    String url = "http://127.0.0.1:" + desk.getAddress().getPort();
    return """
    heldcall.witnesses {
      desk {
        kind = webhook, class = human
        identity { id = desk, org = acme, project = main }
        settings { url = "%s/hook", secret = "whsec_%s", people { U1 { id = alice } } }
      }
      people {
        kind = inbox, class = human
        identity { id = inbox, org = acme, project = main }
        settings {
          groups { treasury = [alice, bob] }
          assign = [ { tools = [act], to = treasury } ]
          notify { url = "%s/notify", secret = "whsec_%s" }
        }
      }
    }
    heldcall.policy.floor.rules += {
      id = desk, tools = [act], when = "has(args.rule) && args.rule == 'desk'"
      verdict = REQUIRE_WITNESS, contract { rule = human } }
    """
        .formatted(url, KEY, url, KEY);
  }

  private JsonNode told(String type, String heldId, String field) {
    await()
        .atMost(Held.PATIENCE)
        .until(() -> told.stream().anyMatch(each -> is(each, type, heldId, field)));
    return told.stream()
        .filter(each -> is(each, type, heldId, field))
        .findFirst()
        .orElseThrow()
        .path("data");
  }

  private static boolean is(JsonNode message, String type, String heldId, String field) {
    return message.path("type").asText().equals(type)
        && message.toString().contains(heldId)
        && message.path("data").has(field);
  }

  @ParameterizedTest
  @EnumSource
  void aPersonsWordAtTheDeskRunsTheCallOnce(Engine engine) throws Exception {
    try (ProductNode node = start(engine)) {
      Held held =
          ProductTest.propose(
              node.as(Cast.ACME + "-agent"), ProductTest.proposal("act", "rule", "desk"));
      var _ = held.answer().is(202);
      JsonNode asked = told("witness.requested", held.id(), "answer_to");
      assertThat(told("witness.requested", held.id(), "assigned").at("/assigned/people"))
          .isEqualTo(Json.tree("[\"alice\",\"bob\"]"));
      await().atMost(Held.PATIENCE).until(() -> reasons(held).contains("assigned to treasury"));

      URI answerTo = held.proposer().node().get().resolve(asked.path("answer_to").asText());
      ObjectNode word = word(asked.path("bindings"));
      assertThat(post(answerTo, word.deepCopy().put("witness", "U9"), 0)).startsWith("403 ");
      assertThat(post(answerTo, word, -600)).startsWith("401 ");
      String other = "sha256:" + "0".repeat(64);
      assertThat(post(answerTo, word.deepCopy().put("call_digest", other), 0))
          .startsWith("409 ")
          .contains("stale");
      assertThat(tools.effects(held.id())).isZero();

      assertThat(post(answerTo, word, 0)).startsWith("202 ").contains("accepted-for-verification");
      assertThat(post(answerTo, word, 1)).startsWith("200 ").contains("duplicate");
      assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
      assertThat(tools.effects(held.id())).isEqualTo(1);
      assertThat(held.read().text("/status/evidence/0/witness")).isEqualTo("alice");
      assertThat(held.read().at("/status/refused_attestations").asInt()).isEqualTo(2);
      assertThat(told("witness.withdrawn", held.id(), "reason")).isNotEmpty();
    }
  }

  private ProductNode start(Engine engine) throws IOException, SettingsException {
    ProductNode node = new ProductNode(folder, engine.fresh(folder.resolve("data")), tools);
    var _ = node.start(hocon(), Clock.systemUTC());
    return node;
  }

  private static String reasons(Held held) {
    return held.read().at("/status/routes").toString() + held.read().at("/routes");
  }

  private static ObjectNode word(JsonNode bindings) {
    return Json.of(
        "held_id", bindings.path("held_id"),
        "generation", bindings.path("generation"),
        "call_digest", bindings.path("call_digest"),
        "contract_digest", bindings.path("contract_digest"),
        "witness", "U1",
        "decision", "approve",
        "reason", "checked the invoice",
        "issued_at", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
  }

  private static String post(URI to, JsonNode body, long skew) throws Exception {
    String seconds = Long.toString(Instant.now().getEpochSecond() + skew);
    HttpRequest request =
        HttpRequest.newBuilder(to)
            .header("Content-Type", "application/json")
            .header("webhook-id", "msg_1")
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", signature("msg_1", seconds, body.toString()))
            .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    }
  }
}
