package dev.heldcall.kernel.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.Set;

/**
 * A DSSE envelope (Dead Simple Signing Envelope, version 1.0.2) with exactly one signature, whose
 * key is named.
 *
 * @param payload the payload's bytes as they were signed
 */
@SuppressWarnings("ArrayRecordComponent") // read and verified once; equality is never asked
record DsseEnvelope(String payloadType, byte[] payload, String keyId, byte[] signature) {

  /** The most that is read of a payload. */
  static final int MAX_PAYLOAD = 64 << 10;

  private static final Set<String> FIELDS = Set.of("payloadType", "payload", "signatures");
  private static final Set<String> SIGNATURE_FIELDS = Set.of("keyid", "sig");

  /** Reads one. */
  static DsseEnvelope parse(JsonNode envelope) throws SignatureProblem {
    only(envelope, FIELDS, "the envelope");
    JsonNode signatures = envelope.path("signatures");
    if (!signatures.isArray() || signatures.isEmpty()) {
      throw new SignatureProblem("the envelope has no signature");
    }
    if (signatures.size() > 1) {
      throw new SignatureProblem(
          "the envelope has "
              + signatures.size()
              + " signatures: exactly one is taken, the witness's own");
    }
    JsonNode signature = signatures.get(0);
    only(signature, SIGNATURE_FIELDS, "the envelope's signature");
    String keyId = text(signature, "keyid");
    if (keyId.isEmpty()) {
      throw new SignatureProblem("the envelope names no key ('keyid')");
    }
    byte[] payload = Base64Text.either(text(envelope, "payload"), "the envelope's payload");
    if (payload.length > MAX_PAYLOAD) {
      throw new SignatureProblem("the envelope's payload is over " + MAX_PAYLOAD + " bytes");
    }
    return new DsseEnvelope(
        text(envelope, "payloadType"),
        payload,
        keyId,
        Base64Text.either(text(signature, "sig"), "the envelope's signature"));
  }

  private static void only(JsonNode object, Set<String> known, String what)
      throws SignatureProblem {
    if (!object.isObject()) {
      throw new SignatureProblem(what + " is no object");
    }
    for (Map.Entry<String, JsonNode> each : object.properties()) {
      if (!known.contains(each.getKey())) {
        throw new SignatureProblem(
            what + " has a field that is not known: '" + each.getKey() + "'");
      }
    }
  }

  private static String text(JsonNode object, String field) throws SignatureProblem {
    JsonNode value = object.get(field);
    if (value == null || !value.isTextual()) {
      throw new SignatureProblem("the envelope has no text '" + field + "'");
    }
    return value.textValue();
  }

  /** What is signed: the pre-authentication encoding of type and payload. */
  static byte[] preAuthentication(String payloadType, byte[] payload) {
    byte[] type = payloadType.getBytes(UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(payload.length + 64);
    out.writeBytes(("DSSEv1 " + type.length + " ").getBytes(UTF_8));
    out.writeBytes(type);
    out.writeBytes((" " + payload.length + " ").getBytes(UTF_8));
    out.writeBytes(payload);
    return out.toByteArray();
  }

  /** Checks the signature. */
  void verify(VerificationKey key) throws SignatureProblem {
    if (!JwsAlgorithms.verifyEither(key, preAuthentication(payloadType, payload), signature)) {
      throw new SignatureProblem(
          "the signature is not one of the key '" + key.id().keyId() + "' over this envelope");
    }
  }
}
