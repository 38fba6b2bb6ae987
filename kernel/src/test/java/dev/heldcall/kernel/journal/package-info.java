/**
 * The journal plugin held to what Pekko asks of one. Read {@link
 * dev.heldcall.kernel.journal.JournalSpecTest} first: it has a test for each property of Pekko's
 * own kit, {@code pekko-persistence-tck}.
 */
@NullMarked
package dev.heldcall.kernel.journal;

import org.jspecify.annotations.NullMarked;
