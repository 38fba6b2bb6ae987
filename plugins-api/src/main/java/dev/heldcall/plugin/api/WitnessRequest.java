package dev.heldcall.plugin.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a provider is asked: to witness exactly this call. The same request has the same id however
 * often it is asked, and wherever.
 *
 * @param requestId unique for call, generation and provider; only letters, digits, {@code . _ -}
 * @param heldId the call
 * @param generation its generation, from 1
 * @param callDigest digest of the call; an attestation is bound to it
 * @param contractDigest digest of the contract; an attestation is bound to it
 * @param witnessClass the class that is asked for
 * @param boundary where the call stands
 * @param tool the tool, or the gate's name
 * @param argsDigest digest of all arguments, shown or not
 * @param args the arguments as far as disclosed, or null if only the digest is
 * @param disclosure how much that is
 * @param leftOut JSON Pointers of what is not shown; {@code ""} for all of it
 * @param proposer who proposed the call
 * @param proposerModelFamily the proposer's model family, or null
 * @param createdAt when the call was proposed
 * @param expiresAt from when on the call has expired, or null
 * @param link where a person can see and decide it, or null
 */
public record WitnessRequest(
    String requestId,
    String heldId,
    int generation,
    Digest callDigest,
    Digest contractDigest,
    String witnessClass,
    Boundary boundary,
    String tool,
    Digest argsDigest,
    @Nullable JsonNode args,
    Disclosure disclosure,
    List<String> leftOut,
    PrincipalRef proposer,
    @Nullable String proposerModelFamily,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable String link) {

  public WitnessRequest {
    leftOut = List.copyOf(leftOut);
  }

  /**
   * An attestation on exactly this request. Its id is the request's, so that the same answer twice
   * is one attestation; {@code suffix} tells several of one request apart.
   *
   * @param suffix empty, or what to add to the id after a dot
   * @param now when it is made; whole milliseconds are kept
   * @param validity how long it counts
   */
  public Attestation attest(
      String suffix,
      AttestationDecision decision,
      @Nullable String reason,
      @Nullable JsonNode evidence,
      @Nullable JsonNode signature,
      Instant now,
      Duration validity) {
    Instant issuedAt = now.truncatedTo(java.time.temporal.ChronoUnit.MILLIS);
    return new Attestation(
        suffix.isEmpty() ? requestId : requestId + "." + suffix,
        generation,
        callDigest,
        contractDigest,
        witnessClass,
        decision,
        reason,
        evidence,
        issuedAt,
        issuedAt.plus(validity),
        signature);
  }
}
