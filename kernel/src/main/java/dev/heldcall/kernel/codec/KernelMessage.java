package dev.heldcall.kernel.codec;

/** A message that may cross from node to node; bound to CBOR in heldcall-kernel.conf. */
public interface KernelMessage {}
