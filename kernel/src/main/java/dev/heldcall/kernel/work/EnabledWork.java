package dev.heldcall.kernel.work;

import dev.heldcall.kernel.call.HeldCallCommand;
import dev.heldcall.kernel.lease.Lease;

/** One thing that should be done now. The same work found twice has the same key. */
public sealed interface EnabledWork {

  /** Names the work; two items with one key are one item. */
  String key();

  /** Why it is enabled, for logs and tests. */
  String reason();

  /** Something that the kernel decides by itself, in the same journal write. */
  record Decide(HeldCallCommand.KernelCommand command, String key, String reason)
      implements EnabledWork {}

  /** Ask the witnesses of a class. */
  record AskWitness(int generation, String witnessClass, String reason) implements EnabledWork {
    @Override
    public String key() {
      return "ask-witness:" + generation + ":" + witnessClass;
    }
  }

  /** Send a dispatch whose lease is in the journal. */
  record Dispatch(Lease lease, String reason) implements EnabledWork {
    @Override
    public String key() {
      return "dispatch:" + lease.leaseId();
    }
  }

  /** Ask the tool what came of a dispatch. */
  record ReadBack(Lease lease, String reason) implements EnabledWork {
    @Override
    public String key() {
      return "read-back:" + lease.leaseId();
    }
  }

  /** Offer the conclusion to the session. */
  record OfferDelivery(String deliveryId, String reason) implements EnabledWork {
    @Override
    public String key() {
      return "offer-delivery:" + deliveryId;
    }
  }

  /** End a nested call, for this one has ended. */
  record EndChild(String heldId, String how, String reason) implements EnabledWork {
    @Override
    public String key() {
      return "end-child:" + heldId;
    }
  }

  /** Find out how another call stands that this one waits for. */
  record WatchCall(String heldId, boolean child, String reason) implements EnabledWork {
    @Override
    public String key() {
      return (child ? "watch-child:" : "watch-dependency:") + heldId;
    }
  }
}
