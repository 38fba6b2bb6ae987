/**
 * The provider that finds out by a governed call of its own: read {@link
 * dev.heldcall.witness.governed.GovernedCallProvider} first.
 */
@NullMarked
package dev.heldcall.witness.governed;

import org.jspecify.annotations.NullMarked;
