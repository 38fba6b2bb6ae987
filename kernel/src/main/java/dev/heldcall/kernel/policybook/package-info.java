/**
 * The policy books: the floor that the cluster agreed on, and each organization's document, both as
 * entities whose revisions only grow; and the reader that finds out what is in force from the
 * database alone. Read {@link dev.heldcall.kernel.policybook.PolicyBookState} first, then {@link
 * dev.heldcall.kernel.policybook.PolicyBookEntity} for changes and {@link
 * dev.heldcall.kernel.policybook.PolicyReader} for reads.
 *
 * <p>It must not import the held call's own packages.
 */
@NullMarked
package dev.heldcall.kernel.policybook;

import org.jspecify.annotations.NullMarked;
