package dev.heldcall.kernel.codec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.policybook.PolicyBookEvent;
import dev.heldcall.kernel.session.SessionEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The names under which events lie in the journal. A name belongs to a meaning, not to a class: a
 * class may be renamed, a name never is.
 */
final class JournalTypes {

  /** What is written now: class to name and version. */
  private final Map<Class<?>, Type> byClass = new HashMap<>();

  private final Map<String, Class<?>> byName = new HashMap<>();
  private final Map<Type, UnaryOperator<ObjectNode>> upcasters = new HashMap<>();

  /**
   * A type of event.
   *
   * @param name its stable name
   * @param version what is written now, from 1
   */
  record Type(String name, int version) {
    String manifest() {
      return name + ":" + version;
    }

    /**
     * Reads {@code name:version}.
     *
     * @throws IllegalArgumentException if it is spelt otherwise
     */
    static Type parse(String manifest) {
      int colon = manifest.lastIndexOf(':');
      if (colon > 0) {
        try {
          return new Type(
              manifest.substring(0, colon), Integer.parseInt(manifest.substring(colon + 1)));
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException(notAManifest(manifest), e);
        }
      }
      throw new IllegalArgumentException(notAManifest(manifest));
    }

    private static String notAManifest(String manifest) {
      return "expected name:version, found '" + manifest + "'";
    }
  }

  JournalTypes() {
    add("call-proposed", 1, HeldCallEvent.CallProposed.class);
    add("call-ruled", 1, HeldCallEvent.CallRuled.class);
    add("attestation-accepted", 2, HeldCallEvent.AttestationAccepted.class);
    // Version 1 did not know whom a witness acts for; what is absent is read as nobody.
    lift("attestation-accepted", 1, tree -> tree);
    add("attestation-refused", 1, HeldCallEvent.AttestationRefused.class);
    add("attestation-revoked", 1, HeldCallEvent.AttestationRevoked.class);
    add("revocation-came-late", 1, HeldCallEvent.RevocationCameLate.class);
    add("attestation-expired", 1, HeldCallEvent.AttestationExpired.class);
    add("attestation-key-revoked", 1, HeldCallEvent.AttestationKeyRevoked.class);
    add("fallback-opened", 1, HeldCallEvent.FallbackOpened.class);
    add("call-edited", 1, HeldCallEvent.CallEdited.class);
    add("call-cancelled", 1, HeldCallEvent.CallCancelled.class);
    add("cancel-requested", 1, HeldCallEvent.CancelRequested.class);
    add("call-expired", 1, HeldCallEvent.CallExpired.class);
    add("call-denied", 1, HeldCallEvent.CallDenied.class);
    add("lease-granted", 1, HeldCallEvent.LeaseGranted.class);
    add("lease-ended-without-effect", 1, HeldCallEvent.LeaseEndedWithoutEffect.class);
    add("outcome-became-unknown", 1, HeldCallEvent.OutcomeBecameUnknown.class);
    add("outcome-recorded", 1, HeldCallEvent.OutcomeRecorded.class);
    add("result-admitted", 1, HeldCallEvent.ResultAdmitted.class);
    add("result-quarantined", 1, HeldCallEvent.ResultQuarantined.class);
    add("late-effect-reported", 1, HeldCallEvent.LateEffectReported.class);
    add("outcome-resolved", 1, HeldCallEvent.OutcomeResolved.class);
    add("delivery-acknowledged", 1, HeldCallEvent.DeliveryAcknowledged.class);
    add("dependency-settled", 1, HeldCallEvent.DependencySettled.class);
    add("upstream-seen", 1, HeldCallEvent.UpstreamSeen.class);
    add("child-announced", 1, HeldCallEvent.ChildAnnounced.class);
    add("child-settled", 1, HeldCallEvent.ChildSettled.class);
    add("policy-floor-adopted", 1, PolicyBookEvent.FloorAdopted.class);
    add("policy-document-adopted", 1, PolicyBookEvent.DocumentAdopted.class);
    add("session-call-linked", 1, SessionEvent.CallLinked.class);
  }

  /** Events of the class are written under the name, in the version, from now on. */
  void add(String name, int version, Class<?> eventClass) {
    byClass.put(eventClass, new Type(name, version));
    byName.put(name, eventClass);
  }

  /** Lifts what was written in the version to the next one. */
  void lift(String name, int version, UnaryOperator<ObjectNode> upcaster) {
    upcasters.put(new Type(name, version), upcaster);
  }

  /**
   * How the class is written.
   *
   * @throws IllegalArgumentException if it is no journal event
   */
  Type typeOf(Class<?> eventClass) {
    Type type = byClass.get(eventClass);
    if (type == null) {
      throw new IllegalArgumentException(eventClass + " is no journal event");
    }
    return type;
  }

  /**
   * The class that a name is read as.
   *
   * @throws IllegalArgumentException if the name is not known
   */
  Class<?> classOf(String name) {
    Class<?> known = byName.get(name);
    if (known == null) {
      throw new IllegalArgumentException(
          "the journal has an event '" + name + "' that this release does not know");
    }
    return known;
  }

  /**
   * What lifts an event to the version that is written now, one step each; none if it is that.
   *
   * @throws IllegalArgumentException if a newer release wrote it, or a step is missing
   */
  List<UnaryOperator<ObjectNode>> lifts(Type written) {
    int newest = typeOf(classOf(written.name())).version();
    if (written.version() == newest) {
      return List.of();
    }
    if (written.version() > newest || written.version() < 1) {
      throw new IllegalArgumentException(
          "the journal has '"
              + written.manifest()
              + "', and this release knows versions 1 to "
              + newest
              + " of it: it was written by a newer release");
    }
    List<UnaryOperator<ObjectNode>> lifts = new ArrayList<>();
    for (int version = written.version(); version < newest; version++) {
      UnaryOperator<ObjectNode> lift = upcasters.get(new Type(written.name(), version));
      if (lift == null) {
        throw new IllegalArgumentException(
            "nothing lifts '" + written.name() + "' from version " + version + " to the next");
      }
      lifts.add(lift);
    }
    return lifts;
  }

  /** Every class that is written, with its type. */
  Map<Class<?>, Type> all() {
    return Map.copyOf(byClass);
  }
}
