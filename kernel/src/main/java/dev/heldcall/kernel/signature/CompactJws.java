package dev.heldcall.kernel.signature;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.signature.VerificationKey.Algorithm;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JWS in its compact form (RFC 7515, section 3.1), its header read and found plain: nothing in it
 * may bring a key of its own or ask for an extension.
 *
 * @param header the protected header
 * @param algorithm what {@code alg} names
 * @param keyId what {@code kid} names, or null if it names none
 * @param payload the middle part's bytes; empty if it is detached
 */
@SuppressWarnings("ArrayRecordComponent") // read and verified once; equality is never asked
public record CompactJws(
    ObjectNode header,
    Algorithm algorithm,
    @Nullable String keyId,
    byte[] payload,
    String encodedHeader,
    String encodedPayload,
    byte[] signature) {

  /** Header parameters that are refused, and why (RFC 7515, section 4.1). */
  private static final Map<String, String> REFUSED =
      Map.of(
          "jwk", "brings its own key ('jwk'): only registered keys count",
          "jku", "names where its own key is ('jku'): only registered keys count",
          "x5c", "brings its own certificate ('x5c'): only registered keys count",
          "x5u", "names where its own certificate is ('x5u'): only registered keys count",
          "crit", "asks for an extension ('crit'): none is understood",
          "b64", "asks for an unencoded payload ('b64'): it is always encoded",
          "zip", "asks for compression ('zip'): none is understood",
          "enc", "is of something encrypted ('enc')");

  private static final Set<String> KNOWN = Set.of("alg", "kid", "typ", "cty", "x5t", "x5t#S256");

  /**
   * Reads one.
   *
   * @param allowed the algorithms that the reader takes
   * @param strict whether a header parameter that is not known is refused; RFC 7515 would have it
   *     passed over, as tokens of many issuers need it
   * @throws SignatureProblem saying what is wrong with its form or its header
   */
  public static CompactJws parse(String text, Set<Algorithm> allowed, boolean strict)
      throws SignatureProblem {
    String[] parts = text.split("\\.", -1);
    if (parts.length != 3) {
      throw new SignatureProblem("the JWS has not three parts with a dot between each two");
    }
    ObjectNode header =
        SignedJson.object(Base64Text.url(parts[0], "the JWS header"), "the JWS header");
    for (Map.Entry<String, JsonNode> each : header.properties()) {
      String why = REFUSED.get(each.getKey());
      if (why != null) {
        throw new SignatureProblem("the JWS header " + why);
      }
      if (strict && !KNOWN.contains(each.getKey())) {
        throw new SignatureProblem(
            "the JWS header has a parameter that is not known: '" + each.getKey() + "'");
      }
    }
    Algorithm algorithm = algorithm(header, allowed);
    JsonNode kid = header.get("kid");
    if (kid != null && (!kid.isTextual() || kid.textValue().isEmpty())) {
      throw new SignatureProblem("the JWS header's 'kid' is not a text");
    }
    return new CompactJws(
        header,
        algorithm,
        kid == null ? null : kid.textValue(),
        Base64Text.url(parts[1], "the JWS payload"),
        parts[0],
        parts[1],
        Base64Text.url(parts[2], "the JWS signature"));
  }

  private static Algorithm algorithm(ObjectNode header, Set<Algorithm> allowed)
      throws SignatureProblem {
    JsonNode alg = header.get("alg");
    if (alg == null || !alg.isTextual()) {
      throw new SignatureProblem("the JWS header has no 'alg'");
    }
    String name = alg.textValue();
    if (name.equalsIgnoreCase("none")) {
      throw new SignatureProblem("the algorithm 'none' is no signature");
    }
    if (name.startsWith("HS")) {
      throw new SignatureProblem(
          "the algorithm '" + name + "' is of a shared secret, which proves nobody's identity");
    }
    return JwsAlgorithms.named(name)
        .filter(allowed::contains)
        .orElseThrow(
            () -> new SignatureProblem("the algorithm '" + name + "' is none that is accepted"));
  }

  /**
   * The payload as JSON; nobody has verified it yet.
   *
   * @throws SignatureProblem if it is not one object, read the same by everybody
   */
  public ObjectNode json() throws SignatureProblem {
    return SignedJson.object(payload, "the JWS payload");
  }

  /** The JWS with this payload in the place of the one it was detached from. */
  CompactJws attached(byte[] detached) {
    return new CompactJws(
        header,
        algorithm,
        keyId,
        detached,
        encodedHeader,
        Base64.getUrlEncoder().withoutPadding().encodeToString(detached),
        signature);
  }

  /**
   * Checks the signature.
   *
   * @throws SignatureProblem if the key is for another algorithm, or the signature is not its own
   */
  public void verify(VerificationKey key) throws SignatureProblem {
    if (key.algorithm() != algorithm) {
      throw new SignatureProblem(
          "the JWS header names an algorithm that the key '"
              + key.id().keyId()
              + "' is not for: it is of the kind "
              + key.algorithm().keyType());
    }
    byte[] signed = (encodedHeader + "." + encodedPayload).getBytes(US_ASCII);
    if (!JwsAlgorithms.verify(key, signed, signature)) {
      throw new SignatureProblem(
          "the signature is not one of the key '" + key.id().keyId() + "' over this content");
    }
  }
}
