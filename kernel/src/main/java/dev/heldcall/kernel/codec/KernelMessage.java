package dev.heldcall.kernel.codec;

/** A message that may cross from node to node; bound to CBOR in the kernel's reference.conf. */
public interface KernelMessage {}
