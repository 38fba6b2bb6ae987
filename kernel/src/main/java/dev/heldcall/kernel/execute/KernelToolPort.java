package dev.heldcall.kernel.execute;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.heldcall.kernel.call.DispatchReport;
import dev.heldcall.kernel.call.ReadBackReport;
import dev.heldcall.kernel.digest.CanonicalJson;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.policy.BuiltInTools;
import dev.heldcall.plugin.api.Boundary;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * What the kernel runs itself: the policy change, and the release of a gate's content unchanged
 * (API.md, section 7).
 */
public final class KernelToolPort implements ToolPort {

  private final ChangePolicy change;
  private final LookUpChange lookUp;
  private final Duration dispatchWindow;
  private final LongSupplier nanoTime;

  /** What came of a policy change. */
  public sealed interface PolicyChange {

    /**
     * The document is in force.
     *
     * @param revision the organization's document revision that it became
     */
    record Applied(long revision) implements PolicyChange {}

    /**
     * Another change came first; nothing was changed.
     *
     * @param epoch the epoch in force
     */
    record StaleBase(long epoch) implements PolicyChange {}

    /**
     * The document does not load on this node; nothing was changed.
     *
     * @param problem why not
     */
    record Unusable(String problem) implements PolicyChange {}
  }

  /** Replaces an organization's policy document. */
  @FunctionalInterface
  public interface ChangePolicy {

    /**
     * Applies the change, once for each key: the same key again gives the same answer. A stage that
     * fails leaves it open whether the change was applied.
     *
     * @param org whose document it is
     * @param key the idempotency key
     * @param baseEpoch the epoch that the proposer saw; if it is no longer in force, nothing is
     *     changed
     * @param document the whole new document
     * @param heldId the call that changes it, for the record
     */
    CompletionStage<PolicyChange> change(
        String org, String key, long baseEpoch, JsonNode document, String heldId);
  }

  /** Finds out whether a policy change was applied. */
  @FunctionalInterface
  public interface LookUpChange {

    /** The revision that the change with this key became, or empty if it was not applied. */
    CompletionStage<OptionalLong> lookUp(String org, String key);
  }

  /**
   * A port.
   *
   * @param change applies a policy change
   * @param lookUp finds one that may have been applied
   * @param dispatchWindow how long after a lease's write its effect may begin (the design, rule 2)
   * @param nanoTime this process's monotonic clock, {@code System::nanoTime}
   */
  public KernelToolPort(
      ChangePolicy change, LookUpChange lookUp, Duration dispatchWindow, LongSupplier nanoTime) {
    this.change = change;
    this.lookUp = lookUp;
    this.dispatchWindow = dispatchWindow;
    this.nanoTime = nanoTime;
  }

  @Override
  public CompletionStage<DispatchReport> dispatch(DispatchOrder order) {
    String objection =
        new DispatchWindow(order.persistedNanos(), dispatchWindow, nanoTime).objection();
    if (objection != null) {
      return CompletableFuture.completedStage(
          new DispatchReport.NoEffect("not sent: " + objection));
    }
    if (isGate(order)) {
      return CompletableFuture.completedStage(
          answered(true, order.generation().args(), "released unchanged"));
    }
    if (!isPolicyChange(order)) {
      return CompletableFuture.completedStage(
          new DispatchReport.NoEffect("not sent: the kernel has no such tool"));
    }
    JsonNode args = order.generation().args();
    return change
        .change(org(order), key(order), baseEpoch(args), args.path("document"), heldId(order))
        .handle(
            (done, failure) ->
                failure == null
                    ? switch (done) {
                      case PolicyChange.Applied applied ->
                          answered(true, applied(args, applied.revision()), "the policy changed");
                      case PolicyChange.StaleBase stale ->
                          answered(
                              false, staleBase(stale.epoch()), "the base epoch is not in force");
                      case PolicyChange.Unusable unusable ->
                          answered(
                              false, unusable(unusable.problem()), "the document does not load");
                    }
                    : new DispatchReport.Unknown("the policy book did not answer"));
  }

  @Override
  public CompletionStage<ReadBackReport> readBack(DispatchOrder order) {
    if (isGate(order)) {
      return CompletableFuture.completedStage(effect(order.generation().args()));
    }
    if (!isPolicyChange(order)) {
      return CompletableFuture.completedStage(
          new ReadBackReport.CannotTell("the kernel has no such tool"));
    }
    JsonNode args = order.generation().args();
    return lookUp
        .lookUp(org(order), key(order))
        .handle(
            (revision, failure) -> {
              if (failure != null) {
                return new ReadBackReport.CannotTell("the policy book did not answer");
              }
              return revision.isPresent()
                  ? effect(applied(args, revision.getAsLong()))
                  : new ReadBackReport.NoEffect();
            });
  }

  private static boolean isGate(DispatchOrder order) {
    return order.spec().boundary() != Boundary.TOOL;
  }

  private static boolean isPolicyChange(DispatchOrder order) {
    return order.generation().tool().equals(BuiltInTools.POLICY_CHANGE);
  }

  private static String org(DispatchOrder order) {
    return order.spec().proposer().org();
  }

  private static String key(DispatchOrder order) {
    return order.lease().idempotencyKey();
  }

  private static String heldId(DispatchOrder order) {
    return order.lease().heldId();
  }

  private static long baseEpoch(JsonNode args) {
    return args.path("base_epoch").asLong(-1);
  }

  /** The same content from a dispatch and from a read-back: an applied change is one epoch more. */
  private static ObjectNode applied(JsonNode args, long revision) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("epoch", baseEpoch(args) + 1)
        .put("revision", revision);
  }

  private static ObjectNode staleBase(long epoch) {
    return JsonNodeFactory.instance.objectNode().put("error", "stale-base").put("epoch", epoch);
  }

  private static ObjectNode unusable(String problem) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("error", "policy-document")
        .put("message", problem);
  }

  private static DispatchReport answered(boolean succeeded, JsonNode content, String detail) {
    byte[] whole = CanonicalJson.bytes(content);
    return new DispatchReport.Answered(
        succeeded, content, Digests.sha256(whole), whole.length, false, detail);
  }

  private static ReadBackReport effect(JsonNode content) {
    byte[] whole = CanonicalJson.bytes(content);
    return new ReadBackReport.Effect(content, Digests.sha256(whole), whole.length, false);
  }
}
