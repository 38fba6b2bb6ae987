package dev.heldcall.kernel.entity;

import dev.heldcall.kernel.call.Generation;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.PolicyInForce;
import dev.heldcall.kernel.execute.ReadBackActor;
import dev.heldcall.kernel.execute.ToolPort;
import dev.heldcall.kernel.lease.Lease;
import dev.heldcall.kernel.lease.LeaseRules;
import dev.heldcall.kernel.route.WitnessProviders;
import dev.heldcall.kernel.route.WitnessRouteActor;
import dev.heldcall.plugin.api.ToolEntry;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * What a node lends to its held calls.
 *
 * @param clock the node's clock
 * @param policies where policy comes from
 * @param terms what leases are granted under
 * @param tools the registry
 * @param toolPort how tools are reached
 * @param permits signs the permit of a lease
 * @param readSide where calls are listed and conclusions offered
 * @param witnesses who is asked
 * @param routes what asking works with
 * @param refusalBound refused attestations recorded a call
 * @param idle after how long without a write, and without work under way, a call leaves memory
 * @param readBacks how often an unknown outcome is read back
 */
public record HeldCallRuntime(
    Clock clock,
    Policies policies,
    LeaseRules.Terms terms,
    Function<String, Optional<ToolEntry>> tools,
    ToolPort toolPort,
    BiFunction<Lease, Generation, String> permits,
    ReadSide readSide,
    WitnessProviders witnesses,
    WitnessRouteActor.Tools routes,
    int refusalBound,
    Duration idle,
    ReadBackActor.Schedule readBacks) {

  /** Where policy comes from. */
  public interface Policies {

    /** The policy as last read on this node; never fresh. */
    PolicyInForce lastKnown(String org);

    /** The policy by a read that begins now; fails if the database does not answer. */
    CompletionStage<PolicyInForce> fresh(String org);
  }

  /** What lists and mailboxes are written to. */
  public interface ReadSide {

    /** The call has changed: lists show it soon. Never fails. */
    void changed(HeldCallFacts facts, long sequence);

    /**
     * Writes the call now: its row and, if it is concluded, its conclusion in the session's
     * mailbox, once however often it is asked, and whether that is acknowledged.
     */
    CompletionStage<?> write(HeldCallFacts facts, long sequence);
  }
}
