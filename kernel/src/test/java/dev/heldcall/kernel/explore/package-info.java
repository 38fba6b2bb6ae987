/**
 * Exhaustive exploration of the pure core: every situation that one call can come to, in a small
 * world of its own, is visited and judged. {@code docs/exploration.md} says how to run it and what
 * it found.
 *
 * <p><b>What is real.</b> Decider, reducer, reconciler, loop, verifier, evaluator, lease rules and
 * compiled policies, as they are shipped: {@link dev.heldcall.kernel.explore.Incarnation} drives
 * them as the actor does.
 *
 * <p><b>What is modelled.</b> A {@link dev.heldcall.kernel.explore.Situation} is a journal, a
 * memory (executors that run, read-backs that could not tell, reports and answers not taken in, a
 * command that waits for policy), a world (which requests are on their way, which effects
 * happened), people, a policy in force, and a clock that jumps from threshold to threshold ({@link
 * dev.heldcall.kernel.explore.Thresholds}). The {@code …Moves} say what can happen next; a {@link
 * dev.heldcall.kernel.explore.Scenario} says how much of it may, so that there is an end.
 *
 * <p><b>What is one situation.</b> Those that share a {@link
 * dev.heldcall.kernel.explore.SituationKey}: nothing that can still happen tells them apart.
 *
 * <p><b>How it is judged.</b> By the kernel's own invariants, and by {@link
 * dev.heldcall.kernel.explore.Judgement} from {@link dev.heldcall.kernel.explore.OwnBook}, an
 * account of its own of what people said and the world did, with {@link
 * dev.heldcall.kernel.explore.Need} for rules; by {@link dev.heldcall.kernel.explore.Said} (said is
 * written); by {@link dev.heldcall.kernel.explore.Transitions} (nothing undeclared happens,
 * everything declared does); and by {@link dev.heldcall.kernel.explore.Waiting}: following what the
 * system owes, from every situation, leads to an end or to somebody who is named.
 *
 * <p><b>What that is worth.</b> {@link dev.heldcall.kernel.explore.MutantLoader} plants the bugs of
 * {@code mutations.txt} in the core's byte code, one at a time, and each must be found.
 *
 * <p>Read {@link dev.heldcall.kernel.explore.Explorer} first, then {@link
 * dev.heldcall.kernel.explore.Incarnation} and {@link dev.heldcall.kernel.explore.OwnBook}.
 */
@NullMarked
package dev.heldcall.kernel.explore;

import org.jspecify.annotations.NullMarked;
