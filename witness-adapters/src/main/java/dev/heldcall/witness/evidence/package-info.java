/**
 * What every kind of witness does alike: read the arguments as far as they are disclosed to it
 * ({@link dev.heldcall.witness.evidence.DisclosedArgs}, read it first), and digest what it found
 * ({@link dev.heldcall.witness.evidence.EvidenceJson}).
 */
@NullMarked
package dev.heldcall.witness.evidence;

import org.jspecify.annotations.NullMarked;
