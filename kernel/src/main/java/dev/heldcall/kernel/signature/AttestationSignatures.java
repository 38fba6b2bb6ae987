package dev.heldcall.kernel.signature;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.kernel.signature.VerificationKey.Algorithm;
import dev.heldcall.kernel.witness.SignatureVerdict;
import dev.heldcall.plugin.api.Attestation;
import dev.heldcall.plugin.api.PrincipalRef;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Verifies an attestation's signature: a DSSE envelope around an in-toto statement, or a detached
 * JWS. It must be made by a key that is registered for the witness, over exactly this attestation
 * on exactly this call. Whether the witness may attest, and in time, is the verifier's to say.
 */
public final class AttestationSignatures {

  private static final Set<Algorithm> ALGORITHMS = EnumSet.of(Algorithm.ED25519, Algorithm.ES256);
  private static final int MAX_JWS = 16 << 10;
  private static final String TYPE = "heldcall-attestation+jws";

  private static final String FORMS =
      "it is neither a DSSE envelope (payloadType, payload, signatures) nor a detached JWS (jws)";

  private final WitnessKeys keys;

  /** Verifies with these keys. */
  public AttestationSignatures(WitnessKeys keys) {
    this.keys = keys;
  }

  /** A signature in either form, not verified yet. */
  private interface Unverified {
    String keyId() throws SignatureProblem;

    void verify(VerificationKey key) throws SignatureProblem;
  }

  /**
   * What the attestation's signature is worth. The stage fails with {@link
   * KeysUnreachableException} if that cannot be known now, and with nothing else.
   */
  public CompletionStage<SignatureVerdict> verify(
      PrincipalRef witness, String heldId, Attestation attestation) {
    JsonNode signature = attestation.signature();
    if (signature == null) {
      return CompletableFuture.completedFuture(new SignatureVerdict.Unsigned());
    }
    try {
      Unverified read = read(signature, heldId, attestation);
      return keys.find(witness, read.keyId()).thenCompose(found -> verdict(read, found));
    } catch (SignatureProblem e) {
      return CompletableFuture.completedFuture(new SignatureVerdict.Failed(e.reason()));
    }
  }

  private static CompletionStage<SignatureVerdict> verdict(Unverified signature, KeyLookup found) {
    return switch (found) {
      case KeyLookup.Found(VerificationKey key) -> {
        try {
          signature.verify(key);
          yield CompletableFuture.completedFuture(new SignatureVerdict.Verified(key.id()));
        } catch (SignatureProblem e) {
          yield CompletableFuture.completedFuture(new SignatureVerdict.Failed(e.reason()));
        }
      }
      case KeyLookup.None(String reason) ->
          CompletableFuture.completedFuture(new SignatureVerdict.Failed(reason));
      case KeyLookup.Unreachable(String reason) ->
          CompletableFuture.failedFuture(new KeysUnreachableException(reason));
    };
  }

  private static Unverified read(JsonNode signature, String heldId, Attestation attestation)
      throws SignatureProblem {
    boolean jws = signature.has("jws");
    if (jws && signature.size() == 1) {
      return detached(signature.path("jws"), heldId, attestation);
    }
    if (jws || !signature.has("payload")) {
      throw new SignatureProblem(FORMS);
    }
    DsseEnvelope envelope = DsseEnvelope.parse(signature);
    if (!envelope.payloadType().equals(AttestationStatement.PAYLOAD_TYPE)) {
      throw new SignatureProblem(
          "the envelope's payloadType is not '" + AttestationStatement.PAYLOAD_TYPE + "'");
    }
    return new Unverified() {
      @Override
      public String keyId() {
        return envelope.keyId();
      }

      @Override
      public void verify(VerificationKey key) throws SignatureProblem {
        envelope.verify(key);
        // Only what somebody signed is read.
        AttestationStatement.check(
            SignedJson.object(envelope.payload(), "the envelope's payload"), heldId, attestation);
      }
    };
  }

  private static Unverified detached(JsonNode text, String heldId, Attestation attestation)
      throws SignatureProblem {
    if (!text.isTextual() || text.textValue().length() > MAX_JWS) {
      throw new SignatureProblem("the JWS is not a text of at most " + MAX_JWS + " characters");
    }
    CompactJws parsed = CompactJws.parse(text.textValue(), ALGORITHMS, true);
    if (parsed.payload().length > 0) {
      throw new SignatureProblem(
          "the JWS has a payload: it must be detached, so that it says nothing but the attestation");
    }
    if (parsed.header().has("typ") && !parsed.header().path("typ").asText().equals(TYPE)) {
      throw new SignatureProblem("the JWS is of another type ('typ') than '" + TYPE + "'");
    }
    CompactJws whole = parsed.attached(AttestationStatement.detachedPayload(heldId, attestation));
    return new Unverified() {
      @Override
      public String keyId() throws SignatureProblem {
        String keyId = whole.keyId();
        if (keyId == null) {
          throw new SignatureProblem("the JWS header names no key ('kid')");
        }
        return keyId;
      }

      @Override
      public void verify(VerificationKey key) throws SignatureProblem {
        whole.verify(key);
      }
    };
  }
}
