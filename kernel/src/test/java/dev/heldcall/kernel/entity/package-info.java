/**
 * Tests of the held call as an actor. Read {@link dev.heldcall.kernel.entity.EntityBench} first.
 */
@NullMarked
package dev.heldcall.kernel.entity;

import org.jspecify.annotations.NullMarked;
