/**
 * A policy engine or any other decision service, as a witness: it is posted the call and answers at
 * once. Read {@link dev.heldcall.witness.decision.ServiceDecision} first (what an answer can mean),
 * then {@link dev.heldcall.witness.decision.OpaProtocol} and {@link
 * dev.heldcall.witness.decision.JsonProtocol}.
 */
@NullMarked
package dev.heldcall.witness.decision;

import org.jspecify.annotations.NullMarked;
