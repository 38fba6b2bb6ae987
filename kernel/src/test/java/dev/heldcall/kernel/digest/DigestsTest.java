package dev.heldcall.kernel.digest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.heldcall.plugin.api.Boundary;
import dev.heldcall.plugin.api.Contract;
import dev.heldcall.plugin.api.Digest;
import dev.heldcall.plugin.api.Independence;
import dev.heldcall.plugin.api.OnRefuted;
import dev.heldcall.plugin.api.PrincipalRef;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Expected values were computed apart from this code, by another language's SHA-256 and JSON. */
class DigestsTest {

  private static final CallIdentity IDENTITY =
      new CallIdentity("acme", "default", "agent-1", "s-1", "t-1", "c-1");
  private static final PrincipalRef AGENT = new PrincipalRef("acme", "default", "agent-1");
  private static final Digest ARGS =
      new Digest("sha256:ab4db0023967a4526c01f1eed9ca65b321031d8a3bb5bd626d7b91efd53f7427");

  @Test
  void sha256OfBytes() {
    assertThat(Digests.sha256("abc".getBytes(UTF_8)).value())
        .isEqualTo("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  void argsDigestIsThatOfTheCanonicalFormInEverySpelling() {
    String spelling =
        "{ \"currency\": \"EUR\", \"amount_minor\": 1.25e5, \"to\": \"acct-2\", \"from\": \"acct\\u002d1\" }";
    assertThat(Digests.ofCanonical(Json.parse(spelling))).isEqualTo(ARGS);
  }

  @Test
  void heldIdIsDerivedFromTheIdentityByRule16() {
    assertThat(IDENTITY.heldId())
        .isEqualTo("hc_m3ekb7oyvll5yek5ypaist5akxfz2qc6wp4lhg5axaqlkeiwu4ra");
    assertThat(new CallIdentity("acme", "default", "agent-1", "a:b", "c", "d\u00e9").heldId())
        .isEqualTo("hc_ju4qnz32fy4n2nrgfsr3xkwjhpoobqkg47b6e535ngoaszhvtndq");
  }

  @Test
  void partsOfAnIdentityCannotBeMovedAcrossTheirBorders() {
    List<CallIdentity> identities =
        List.of(
            new CallIdentity("o", "p", "a", "a:b", "c", "d"),
            new CallIdentity("o", "p", "a", "a", "b:c", "d"),
            new CallIdentity("o", "p", "a", "a\",\"b", "c", "d"),
            new CallIdentity("o", "p", "a", "a", "b\",\"c", "d"),
            new CallIdentity("o", "p", "a", "ab", "", "cd"),
            new CallIdentity("o", "p", "a", "ab", "cd", ""));
    assertThat(identities).extracting(CallIdentity::heldId).doesNotHaveDuplicates();
  }

  @Test
  void identitiesAreNotNormalized() {
    assertThat(new CallIdentity("o", "p", "a", "\u00c5", "t", "c").heldId())
        .isNotEqualTo(new CallIdentity("o", "p", "a", "A\u030a", "t", "c").heldId());
  }

  @Test
  void anIdentityOfLoneSurrogatesIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new CallIdentity("o", "p", "a", "\uD800", "t", "c").heldId());
  }

  @Test
  void callDigestCoversTheDocumentOfTheApi() {
    assertThat(
            Digests.call(IDENTITY.heldId(), 1, Boundary.TOOL, "money_transfer", ARGS, AGENT)
                .value())
        .isEqualTo("sha256:aad254e1c4d19f920b4b884271e5bc1e014891408486e23698647cfc0876e773");
  }

  @Test
  void callDigestDiffersWithEveryPart() {
    Digest other = Digests.sha256(new byte[0]);
    PrincipalRef project = new PrincipalRef("acme", "other", "agent-1");
    assertThat(
            List.of(
                Digests.call("hc_a", 1, Boundary.TOOL, "t", ARGS, AGENT),
                Digests.call("hc_b", 1, Boundary.TOOL, "t", ARGS, AGENT),
                Digests.call("hc_a", 2, Boundary.TOOL, "t", ARGS, AGENT),
                Digests.call("hc_a", 1, Boundary.PLAN, "t", ARGS, AGENT),
                Digests.call("hc_a", 1, Boundary.TOOL, "u", ARGS, AGENT),
                Digests.call("hc_a", 1, Boundary.TOOL, "t", other, AGENT),
                Digests.call("hc_a", 1, Boundary.TOOL, "t", ARGS, project)))
        .doesNotHaveDuplicates();
  }

  @Test
  void contractDigestCoversExactlyTheContract() {
    Contract plain =
        new Contract(
            "human",
            new TreeSet<>(),
            new TreeSet<>(Set.of(Independence.NOT_PROPOSER)),
            OnRefuted.DENY,
            600,
            false);
    assertThat(Digests.contractJson(plain))
        .hasToString(
            "{\"rule\":\"human\",\"veto\":[],\"independence\":[\"not-proposer\"],"
                + "\"on_refuted\":\"deny\",\"expires_s\":600,\"signed\":false}");
    assertThat(Digests.contract(plain).value())
        .isEqualTo("sha256:7519f4fdb246465addf4d251bc79577b4c3cd845896b5d11a8f08ef7fe72a6d0");
  }

  @Test
  void contractArraysAreSorted() {
    Contract full =
        new Contract(
            "quorum(2, human)",
            new TreeSet<>(Set.of("fraud-check", "compliance")),
            new TreeSet<>(Set.of(Independence.values())),
            OnRefuted.HOLD,
            86_400,
            true);
    assertThat(Digests.contract(full).value())
        .isEqualTo("sha256:9c09865f76a22826154776c185464adc35adba6c1803e74790b3ddc60e0d203b");
  }
}
