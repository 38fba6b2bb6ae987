package dev.heldcall.gateway.product;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.config.SettingsException;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JWTs as bearer tokens, their keys from a server that comes and goes. */
class JwtTokensTest {

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static SignedNode world;

  @BeforeAll
  static void opens() throws IOException, SettingsException {
    world = new SignedNode(folder, Engine.H2);
  }

  @AfterAll
  static void closes() {
    world.close();
  }

  private static void refused(String token, String reason) {
    Got answer = world.node.as(token).get("/held");
    var _ = answer.isProblem(401, "unauthorized");
    assertThat(answer.text("/detail")).isEqualTo(reason);
    assertThat(answer.header("www-authenticate")).isEqualTo("Bearer error=\"invalid_token\"");
  }

  private static void refused(Consumer<ObjectNode> change, String reason) {
    ObjectNode claims = SignedNode.claims("ann", "agent");
    change.accept(claims);
    refused(world.issuer.token(claims), reason);
  }

  @Test
  void peopleOfAnIssuerProposeAndWitnessWithinWhatItMayGrant() {
    Caller agent = world.bearing(SignedNode.claims("ann", "agent"));
    Held held = ProductTest.propose(agent, ProductTest.proposal("act", "rule", "legal"));
    var _ = held.answer().is(202);
    assertThat(held.read().text("/principal/id")).isEqualTo("ann");
    assertThat(held.read().at("/capability_snapshot"))
        .extracting(it -> it.asText())
        .as("pay is not the issuer's to grant")
        .containsExactly("act");
    assertThat(held.read().at("/explain").toString())
        .contains("anyone with a token of https://idp.example");
    var _ =
        held.attest(
                world.bearing(SignedNode.claims("lee", "witness")),
                held.attestation("l-1", "legal", "approve"))
            .is(202);
    Caller mo = world.bearing(SignedNode.claims("mo", "witness"));
    var _ =
        held.attest(mo, held.attestation("m-0", "compliance", "deny")).isProblem(422, "invalid");
    var _ = held.attest(mo, held.attestation("m-1", "legal", "approve")).is(202);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(world.tools.effects(held.id())).isEqualTo(1);
    var _ = held.resolve(mo, Json.of("outcome", "effect")).is(403);
  }

  @Test
  void whatIsWrongWithATokenIsSaid() {
    long now = Instant.now().getEpochSecond();
    refused(it -> it.put("aud", "another"), "the token is for another audience");
    refused(it -> it.remove("aud"), "the token is for another audience");
    refused(it -> it.put("exp", now - 61), "the token has expired");
    refused(it -> it.remove("exp"), "the token has no 'exp'");
    refused(it -> it.put("exp", "soon"), "the token's 'exp' is no time");
    refused(it -> it.put("nbf", now + 120), "the token is not valid yet");
    refused(it -> it.put("iat", now + 120), "the token was issued in the future");
    refused(it -> it.put("iss", "https://evil.example"), "the token is of no issuer that is known");
    refused(it -> it.remove("sub"), "the token has no 'sub'");
    refused(it -> it.put("sub", ""), "the token's 'sub' is no name");
    refused(
        it -> it.put("org", "other"), "the token's issuer does not speak for that organization");
    refused(it -> it.put("project", "x"), "the token's issuer does not speak for that project");
    refused(it -> it.put("roles", 7), "the token's 'roles' is no list of texts");
    refused(
        it -> it.putArray("roles").add("operator"),
        "the token gives no role that its issuer may grant");
  }

  @Test
  void timesMayBeOffByAMinute() {
    long now = Instant.now().getEpochSecond();
    ObjectNode claims = SignedNode.claims("ann", "agent").put("exp", now - 30).put("nbf", now + 30);
    var _ = world.bearing(claims).get("/sessions/s-x").is(200);
  }

  @Test
  void whoeverMadeATokenWithoutTheIssuersKeyIsNobody() {
    ObjectNode claims = SignedNode.claims("ann", "agent");
    byte[] payload = claims.toString().getBytes(UTF_8);
    refused(
        KeyHolder.rs256("idp-1").token(claims),
        "the signature is not one of the key 'idp-1' over this content");
    refused(KeyHolder.rs256("idp-9").token(claims), "the key 'idp-9' is not in the key set");
    refused(
        world.issuer.jws(world.issuer.header().put("alg", "none"), payload),
        "the algorithm 'none' is no signature");
    refused(
        world.issuer.jws(world.issuer.header().put("alg", "HS256"), payload),
        "the algorithm 'HS256' is of a shared secret, which proves nobody's identity");
    refused(
        world.issuer.jws(world.issuer.header().put("alg", "ES256"), payload),
        "the JWS header names an algorithm that the key 'idp-1' is not for: it is of the kind RSA");
    refused(
        world.issuer.jws(world.issuer.header().put("typ", "heldcall-permit+jwt"), payload),
        "the token's type ('typ') is not that of an access token");
    ObjectNode unnamed = world.issuer.header();
    unnamed.remove("kid");
    refused(world.issuer.jws(unnamed, payload), "the token names no key ('kid')");
    String cut =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("{\"alg\":\"RS256\"".getBytes(UTF_8));
    refused(cut + ".e30.AAAA", "the JWS header is not one JSON object without duplicate keys");
  }

  @Test
  void nobodyIsKnownWhileTheIssuersKeysCannotBeRead() {
    KeyHolder other = KeyHolder.es256("o-1");
    ObjectNode claims =
        SignedNode.claims("zoe", "agent")
            .put("iss", "https://other.example")
            .put("org", "other")
            .put("project", "main");
    Caller zoe = world.node.as(other.token(claims));
    Got down = zoe.get("/sessions/s-x").isProblem(503, "unavailable");
    assertThat(down.header("retry-after")).isNotBlank();
    world.sets.serve("other", other);
    Got up =
        org.awaitility.Awaitility.await()
            .atMost(Held.PATIENCE)
            .until(() -> zoe.get("/sessions/s-x"), answer -> answer.status() == 200);
    assertThat(up.status()).isEqualTo(200);
  }
}
