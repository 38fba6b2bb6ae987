package dev.heldcall.kernel.codec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.policybook.PolicyBookEvent;
import dev.heldcall.kernel.session.SessionEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The names under which events lie in the journal. A name belongs to a meaning, not to a class: a
 * class may be renamed, a name never is.
 */
final class JournalTypes {

  /** What is written now: class to name and version. */
  private final Map<Class<?>, Type> byClass = new HashMap<>();

  private final Map<String, Class<?>> byName = new HashMap<>();
  private final Map<String, UnaryOperator<ObjectNode>> upcasters = new HashMap<>();

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
  }

  JournalTypes() {
    add("call-proposed", 1, HeldCallEvent.CallProposed.class);
    add("call-ruled", 1, HeldCallEvent.CallRuled.class);
    add("attestation-accepted", 1, HeldCallEvent.AttestationAccepted.class);
    add("attestation-refused", 1, HeldCallEvent.AttestationRefused.class);
    add("attestation-revoked", 1, HeldCallEvent.AttestationRevoked.class);
    add("revocation-came-late", 1, HeldCallEvent.RevocationCameLate.class);
    add("attestation-expired", 1, HeldCallEvent.AttestationExpired.class);
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
    add("child-announced", 1, HeldCallEvent.ChildAnnounced.class);
    add("child-settled", 1, HeldCallEvent.ChildSettled.class);
    add("policy-floor-adopted", 1, PolicyBookEvent.FloorAdopted.class);
    add("policy-document-adopted", 1, PolicyBookEvent.DocumentAdopted.class);
    add("session-call-linked", 1, SessionEvent.CallLinked.class);
  }

  private void add(String name, int version, Class<?> eventClass) {
    byClass.put(eventClass, new Type(name, version));
    byName.put(name, eventClass);
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

  /** What turns the version of the name into the next one, or null if it is the newest. */
  @Nullable UnaryOperator<ObjectNode> upcaster(String name, int version) {
    return upcasters.get(name + ":" + version);
  }

  /** Every class that is written, with its type. */
  Map<Class<?>, Type> all() {
    return Map.copyOf(byClass);
  }
}
