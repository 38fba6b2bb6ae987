/**
 * What policy says of a call: documents and their rules, the layers and the fold over them, the
 * tool registry that capabilities and schemas come from. Read {@link
 * dev.heldcall.kernel.policy.PolicyLayers} first, then {@link
 * dev.heldcall.kernel.policy.VerdictFold}.
 *
 * <p>Pure: it imports the vocabulary, the digests, the witness rules, the Jackson tree, CEL and the
 * JSON Schema validator; no actors, no object mapper, no database, network, clock, randomness,
 * threads or logging.
 */
@NullMarked
package dev.heldcall.kernel.policy;

import org.jspecify.annotations.NullMarked;
