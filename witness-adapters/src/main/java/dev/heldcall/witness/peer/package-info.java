/**
 * Another model as a witness: an OpenAI-compatible chat endpoint is shown the call and asked to
 * approve, deny, or say that it cannot decide. Read {@link dev.heldcall.witness.peer.CallFrame}
 * first (how a call is shown so that nothing in it can speak to the model as we do), then {@link
 * dev.heldcall.witness.peer.ChatAnswer} (what is taken for an answer, and what is not).
 */
@NullMarked
package dev.heldcall.witness.peer;

import org.jspecify.annotations.NullMarked;
