package dev.heldcall.kernel.explore;

import dev.heldcall.plugin.api.Principal;

/**
 * A witness speaking under one class; one identity may have several voices.
 *
 * @param who the identity
 * @param witnessClass the class it speaks under
 */
record Voice(Principal who, String witnessClass) {}
