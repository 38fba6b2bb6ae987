/**
 * Bytes: journal events by stable name and version, and messages between nodes. Read {@link
 * dev.heldcall.kernel.codec.JournalTypes} first. A released event's meaning never changes: add a
 * version and an upcaster.
 */
@NullMarked
package dev.heldcall.kernel.codec;

import org.jspecify.annotations.NullMarked;
