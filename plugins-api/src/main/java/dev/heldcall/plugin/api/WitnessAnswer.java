package dev.heldcall.plugin.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a provider says of a request. Nothing here but an attestation can move a call. */
public sealed interface WitnessAnswer {

  /**
   * It has attestations, each for the verifier to judge.
   *
   * @param attestations 1 to {@value #MAX_ATTESTATIONS}
   */
  record Attested(List<Attestation> attestations) implements WitnessAnswer {

    /** The most that one answer may bring. */
    public static final int MAX_ATTESTATIONS = 16;

    public Attested {
      attestations = List.copyOf(attestations);
      if (attestations.isEmpty() || attestations.size() > MAX_ATTESTATIONS) {
        throw new IllegalArgumentException("1 to " + MAX_ATTESTATIONS + " attestations");
      }
    }

    /** With one. */
    public static Attested of(Attestation attestation) {
      return new Attested(List.of(attestation));
    }
  }

  /**
   * The request is out and unanswered.
   *
   * @param reference what the other side names it by; looked up by pokes and given to {@code look},
   *     1 to {@value #MAX_REFERENCE} characters
   * @param lookAfter when to look again, 1 s or more, or null if an incoming message will say so
   * @param note how it stands, for a person, or null
   */
  record Waiting(String reference, @Nullable Duration lookAfter, @Nullable String note)
      implements WitnessAnswer {

    /** The longest reference. */
    public static final int MAX_REFERENCE = 512;

    public Waiting {
      if (reference.isEmpty() || reference.length() > MAX_REFERENCE) {
        throw new IllegalArgumentException("a reference has 1 to " + MAX_REFERENCE);
      }
    }
  }

  /** The witness was reached and cannot tell: a dearer one is asked. It is no approval, ever. */
  record Deferred(String reason) implements WitnessAnswer {}

  /**
   * The witness could not be reached or understood.
   *
   * @param reason what happened, for a person; no secrets
   * @param again whether to try again, with growing pauses, while the call is held; after an ask of
   *     a provider that is not repeatable, {@link WitnessProvider#recover} is tried instead
   */
  record Unavailable(String reason, boolean again) implements WitnessAnswer {}

  /** Nobody knows whether the request went out, and it must not go out twice. */
  record InDoubt(String reason) implements WitnessAnswer {}

  /**
   * It needs a governed call of its own first: proposed under the provider's identity with the held
   * call as its parent, which waits for it. Its outcome comes to {@link WitnessProvider#nested}.
   *
   * @param callId tells several of one request apart; letters, digits, {@code . _ -}, at most 64
   */
  record Nested(String callId, String tool, JsonNode args) implements WitnessAnswer {}
}
