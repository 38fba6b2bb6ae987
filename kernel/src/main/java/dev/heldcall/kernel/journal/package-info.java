/**
 * The journal plugin: writes that come at the same time share one statement and one commit, and
 * recovery is one read. Read {@link dev.heldcall.kernel.journal.GroupCommitJournal} first. It knows
 * Pekko's journal protocol and two databases, and nothing of held calls.
 */
@NullMarked
package dev.heldcall.kernel.journal;

import org.jspecify.annotations.NullMarked;
