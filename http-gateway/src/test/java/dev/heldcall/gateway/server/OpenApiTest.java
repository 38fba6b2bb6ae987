package dev.heldcall.gateway.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.config.AuthSettings;
import dev.heldcall.config.HttpSettings;
import dev.heldcall.gateway.route.BodyRule;
import dev.heldcall.gateway.route.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OpenApiTest {

  private final JsonNode document = OpenApiDocument.load();

  private static List<Endpoint> endpoints() throws Exception {
    GatewaySettings settings =
        new GatewaySettings(
            new HttpSettings("127.0.0.1", 0),
            TestGateway.limits(1, 1, 1, Duration.ofSeconds(1)),
            List.of());
    return GatewayServer.router(
            new ScriptedKernel().calls(),
            new AuthSettings(List.of()),
            settings,
            OpenApiDocument.load())
        .endpoints();
  }

  private static String name(Endpoint endpoint) {
    return endpoint.method() + " " + endpoint.path();
  }

  @Test
  void every_route_is_in_the_document_and_every_route_of_the_document_exists() throws Exception {
    TreeSet<String> documented = new TreeSet<>();
    document
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method ->
                            documented.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));

    assertThat(documented)
        .containsExactlyElementsOf(
            new TreeSet<>(endpoints().stream().map(OpenApiTest::name).toList()));
  }

  @Test
  void tokens_and_bodies_are_as_documented() throws Exception {
    for (Endpoint endpoint : endpoints()) {
      JsonNode operation =
          document
              .path("paths")
              .path(endpoint.path())
              .path(endpoint.method().toLowerCase(Locale.ROOT));
      boolean open = operation.path("security").isArray() && operation.path("security").isEmpty();
      assertThat(open).as(name(endpoint)).isEqualTo(!endpoint.access().token());
      assertThat(operation.has("requestBody"))
          .as(name(endpoint))
          .isEqualTo(endpoint.body() != BodyRule.NONE);
      assertThat(operation.path("requestBody").path("required").asBoolean())
          .as(name(endpoint))
          .isEqualTo(endpoint.body() == BodyRule.REQUIRED);
    }
  }

  @Test
  void every_reference_leads_somewhere() {
    List<String> references = new ArrayList<>();
    document.findValuesAsText("$ref", references);

    assertThat(references)
        .isNotEmpty()
        .allSatisfy(
            reference ->
                assertThat(document.at(reference.substring(1)).isMissingNode())
                    .as(reference)
                    .isFalse());
  }
}
