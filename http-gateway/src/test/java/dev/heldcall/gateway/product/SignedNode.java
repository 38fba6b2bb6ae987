package dev.heldcall.gateway.product;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.config.SettingsException;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;

/** A node that knows keys and issuers, and the people who have them. */
final class SignedNode implements AutoCloseable {

  static final String ISSUER = "https://idp.example";

  final KeyHolder aliceLost = KeyHolder.es256("alice-0");
  final KeyHolder aliceOld = KeyHolder.ed25519("alice-1");
  final KeyHolder aliceNew = KeyHolder.es256("alice-2");
  final KeyHolder bob = KeyHolder.es256("bob-1");
  final KeyHolder signer = KeyHolder.ed25519("ci-1");
  final KeyHolder issuer = KeyHolder.rs256("idp-1");
  final KeySetServer sets = new KeySetServer();
  final ToolServer tools = new ToolServer();
  final ProductNode node;

  SignedNode(Path folder, Engine engine) throws IOException, SettingsException {
    sets.serve("idp", issuer);
    node = new ProductNode(folder, engine.fresh(folder.resolve("data")), tools);
    start(false);
  }

  /**
   * Starts it.
   *
   * @param lostRevoked whether the key that Alice has lost is revoked
   */
  void start(boolean lostRevoked) throws IOException, SettingsException {
    var _ = node.start(hocon(lostRevoked), Clock.systemUTC());
  }

  private static String key(String owner, KeyHolder key, String more) {
    return "{ id = %s, org = acme, project = main, kid = \"%s\", jwk = %s%s }\n"
        .formatted(owner, key.keyId(), key.jwk().toJSONString(), more);
  }

  private String hocon(boolean lostRevoked) {
    return """
    heldcall.auth.keys = [
      %s %s %s %s
    ]
    heldcall.auth.key-sets = [
      { id = bob, org = acme, project = main, url = "%s", refresh = 1s, pause = 100ms }
    ]
    heldcall.auth.jwt = [
      { issuer = "%s", audience = [heldcall], jwks-url = "%s", pause = 100ms
        orgs = [acme], project = main
        may-grant { roles = [agent, witness], witness-classes = [human, legal], capabilities = [act] } }
      { issuer = "https://other.example", audience = [heldcall], jwks-url = "%s", pause = 100ms
        orgs = [acme, other], may-grant { roles = [agent] } }
    ]
    heldcall.witnesses.build-signer {
      kind = signed-statement, class = ci
      identity { id = ci, org = acme, project = main }
      settings { signers = [ { kid = "%s", id = ci } ] }
    }
    heldcall.policy.floor.rules += {
      id = signed, tools = [act, look], when = "has(args.rule) && args.rule == 'signed'"
      verdict = REQUIRE_WITNESS, contract { rule = human, signed = true } }
    heldcall.policy.floor.rules += {
      id = ci, tools = [act], when = "has(args.rule) && args.rule == 'ci'"
      verdict = REQUIRE_WITNESS, contract { rule = ci, signed = true } }
    heldcall.policy.floor.rules += {
      id = legal, tools = [act], when = "has(args.rule) && args.rule == 'legal'"
      verdict = REQUIRE_WITNESS, contract { rule = "quorum(2, legal)" } }
    """
        .formatted(
            key("alice", aliceLost, ", revoked = " + lostRevoked),
            key("alice", aliceOld, ""),
            key("alice", aliceNew, ""),
            key("ci", signer, ""),
            sets.url("bob"),
            ISSUER,
            sets.url("idp"),
            sets.url("other"),
            signer.keyId());
  }

  Caller as(String id) {
    return node.as(Cast.ACME + "-" + id);
  }

  /** A call that waits under the rule. */
  Held hold(String rule) {
    Held held =
        ProductTest.propose(
            as("agent"), ProductTest.proposal("act", "rule", rule, "n", rule.length()));
    var _ = held.answer().is(202);
    return held;
  }

  /** Claims that the issuer's tokens have when nothing is wrong with them. */
  static ObjectNode claims(String subject, String role) {
    long now = Instant.now().getEpochSecond();
    ObjectNode claims =
        Json.of("iss", ISSUER, "aud", "heldcall", "sub", subject, "iat", now, "exp", now + 600);
    claims.putArray("roles").add(role).add("operator").add("sysadmin");
    claims.putArray("capabilities").add("act").add("pay");
    claims.putArray("witness_classes").add("legal").add("compliance");
    return claims;
  }

  Caller bearing(ObjectNode claims) {
    return node.as(issuer.token(claims));
  }

  @Override
  public void close() {
    node.close();
    tools.close();
    sets.close();
  }
}
