package dev.heldcall.gateway.product;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.config.SettingsException;
import dev.heldcall.kernel.store.TestDatabases.Engine;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Signed attestations over HTTP: keys of the configuration, key sets at addresses, revocation. */
@ParameterizedClass
@EnumSource(Engine.class)
class SignedAttestingTest {

  @TempDir static Path folder;

  @SuppressWarnings("NullAway.Init")
  private static SignedNode world;

  SignedAttestingTest(Engine engine) {
    assertThat(engine).isNotNull();
  }

  @BeforeParameterizedClassInvocation
  static void opens(Engine engine) throws IOException, SettingsException {
    world = new SignedNode(folder.resolve(engine.name()), engine);
  }

  @AfterParameterizedClassInvocation
  static void closes() {
    world.close();
  }

  private static void refused(Got answer, String reason) {
    var _ = answer.isProblem(422, "invalid");
    assertThat(answer.text("/disposition")).isEqualTo("invalid");
    assertThat(answer.text("/errors/0/pointer")).isEqualTo("/signature");
    assertThat(answer.text("/detail")).isEqualTo(reason);
  }

  @Test
  void whatTheContractWantsSignedIsRunByASignatureOnly() {
    Held held = world.hold("signed");
    ObjectNode attestation = held.attestation("a-1", "human", "approve");
    refused(
        held.attest(world.as("alice"), attestation), "the contract asks for a signed attestation");
    ObjectNode signed = world.aliceOld.signed(held.id(), attestation);
    var _ = held.attest(world.as("alice"), signed).is(202);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
    Got call = held.read();
    assertThat(call.text("/status/evidence/0/signed_by")).isEqualTo("alice-1");
    assertThat(held.attest(world.as("alice"), signed).is(200).text("/disposition"))
        .isEqualTo("duplicate");
    assertThat(world.tools.effects(held.id())).isEqualTo(1);
  }

  @Test
  void bothKeysOfARotationAndBothFormsAreTaken() {
    Held jws = world.hold("signed");
    var _ =
        jws.attest(
                world.as("alice"),
                world.aliceNew.signed(jws.id(), jws.attestation("a-1", "human", "approve")))
            .is(202);
    Held dsse = world.hold("signed");
    var _ =
        dsse.attest(
                world.as("alice"),
                world.aliceNew.stated(dsse.id(), dsse.attestation("a-1", "human", "approve")))
            .is(202);
    assertThat(jws.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(dsse.delivery().path("kind").asText()).isEqualTo("result");
  }

  @Test
  void oneThatFailsIsInvalidAlsoWhereNoneIsAskedFor() {
    Held held = world.hold("human");
    ObjectNode attestation = held.attestation("a-1", "human", "approve");
    KeyHolder thief = KeyHolder.ed25519("alice-1");
    refused(
        held.attest(world.as("alice"), thief.signed(held.id(), attestation)),
        "the signature is not one of the key 'alice-1' over this content");
    refused(
        held.attest(world.as("carol"), world.aliceOld.signed(held.id(), attestation)),
        "no key 'alice-1' is registered for 'carol'");
    ObjectNode none = attestation.deepCopy();
    none.set("signature", Json.of("jws", "eyJhbGciOiJub25lIn0.."));
    refused(held.attest(world.as("alice"), none), "the algorithm 'none' is no signature");
    assertThat(held.read().text("/phase")).isEqualTo("HELD");
  }

  @Test
  void aSignatureForOneCallIsWorthNothingOnAnother() {
    Held one = world.hold("signed");
    Held other = world.hold("signed");
    ObjectNode signed = world.aliceOld.stated(one.id(), one.attestation("a-1", "human", "approve"));
    assertThat(other.attest(world.as("alice"), signed).is(409).text("/disposition"))
        .as("its digests are the other call's")
        .isEqualTo("stale");
    ObjectNode rebound = other.attestation("a-1", "human", "approve");
    rebound.set("signature", signed.path("signature"));
    refused(
        other.attest(world.as("alice"), rebound),
        "the statement's subject digest is not '"
            + rebound.path("call_digest").asText().substring("sha256:".length())
            + "'");
    assertThat(other.read().text("/phase")).isEqualTo("HELD");
  }

  @Test
  void aKeySetThatIsDownIsNoYesAndOneThatLosesAKeyTakesItsEvidenceAlong() {
    world.sets.fail("bob");
    Held held = world.hold("two");
    ObjectNode signed = world.bob.signed(held.id(), held.attestation("b-1", "human", "approve"));
    Got down =
        held.until(() -> held.attest(world.as("bob"), signed), answer -> answer.status() == 503);
    assertThat(down.header("retry-after")).isNotBlank();
    assertThat(held.read().at("/status/evidence")).isEmpty();

    world.sets.serve("bob", world.bob);
    var _ =
        held.until(() -> held.attest(world.as("bob"), signed), answer -> answer.status() == 202);
    assertThat(held.read().text("/status/evidence/0/state")).isEqualTo("valid");

    world.sets.serve("bob", KeyHolder.es256("bob-2"));
    Got after = held.until("/status/evidence/0/state", "revoked");
    assertThat(after.text("/status/evidence/0/note")).isEqualTo("its key was revoked: bob-1");
    var _ = held.approve(world.as("alice")).is(202);
    assertThat(held.read().text("/phase")).as("one of two").isEqualTo("HELD");
  }

  @Test
  void evidenceOfAKeyThatIsRevokedWhileTheNodeIsDownDoesNotCount()
      throws IOException, SettingsException {
    Held held = world.hold("two");
    ObjectNode old = world.aliceLost.signed(held.id(), held.attestation("a-1", "human", "approve"));
    var _ = held.attest(world.as("alice"), old).is(202);
    world.node.stop();
    world.start(true);
    var _ = held.approve(world.as("carol")).is(202);
    Got call = held.until("/status/evidence/0/state", "revoked");
    assertThat(call.text("/phase")).isEqualTo("HELD");
    assertThat(world.tools.requests(held.id())).isEmpty();
    ObjectNode again = held.attestation("a-2", "human", "approve");
    refused(
        held.attest(world.as("alice"), world.aliceLost.signed(held.id(), again)),
        "the key 'alice-0' is revoked");
    var _ = held.attest(world.as("alice"), world.aliceNew.signed(held.id(), again)).is(202);
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
  }

  @Test
  void aServicePostsItsStatementWithNoTokenButItsSignature() {
    Held held = world.hold("ci");
    ObjectNode statement = held.attestation("st-1", "ci", "approve");
    ObjectNode forged = KeyHolder.ed25519("ci-1").stated(held.id(), statement);
    Got no = incoming(forged.put("held_id", held.id()));
    assertThat(no.isProblem(422, "invalid").text("/reason"))
        .isEqualTo("the signature is not one of the key 'ci-1' over this envelope");
    ObjectNode good = world.signer.stated(held.id(), statement).put("held_id", held.id());
    assertThat(incoming(good).is(202).text("/disposition")).isEqualTo("accepted-for-verification");
    assertThat(held.delivery().path("kind").asText()).isEqualTo("result");
    assertThat(incoming(good).is(200).text("/disposition")).isEqualTo("duplicate");
    assertThat(world.tools.effects(held.id())).isEqualTo(1);
    assertThat(held.read().text("/status/evidence/0/witness")).isEqualTo("ci");
  }

  private static Got incoming(ObjectNode statement) {
    return world.as("nobody").post("/witnesses/build-signer/incoming", statement);
  }
}
