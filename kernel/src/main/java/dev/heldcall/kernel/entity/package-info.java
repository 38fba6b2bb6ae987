/**
 * The held call as a sharded, event-sourced actor. Read {@link
 * dev.heldcall.kernel.entity.HeldCallEntity} first. The actor is thin: the loop decides, {@link
 * dev.heldcall.kernel.entity.WorkRunner} starts what the plan names.
 */
@NullMarked
package dev.heldcall.kernel.entity;

import org.jspecify.annotations.NullMarked;
