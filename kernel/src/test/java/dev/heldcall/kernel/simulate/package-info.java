/**
 * A deterministic, single-threaded, seeded simulation of a whole cluster around the real core. The
 * loop, decider, reducer, reconciler, invariants, session graph, settlement, dispatch window and
 * journal codec are the product's own classes; journal, network, clocks, tools, policy book,
 * mailbox, index and everybody outside are made here, and fail here.
 *
 * <p>Read {@link dev.heldcall.kernel.simulate.Simulation} first, then {@link
 * dev.heldcall.kernel.simulate.CallShell}, which mirrors the entity, and {@link
 * dev.heldcall.kernel.simulate.Oracle}, which judges from what happened and from nothing else.
 * Nothing here may ask the real clock, start a thread, or iterate over a set without an order.
 */
@NullMarked
package dev.heldcall.kernel.simulate;

import org.jspecify.annotations.NullMarked;
