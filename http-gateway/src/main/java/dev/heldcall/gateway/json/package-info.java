/**
 * JSON in and out: {@link dev.heldcall.gateway.json.StrictJson} reads bytes, {@link
 * dev.heldcall.gateway.json.ObjectReader} reads the fields of an envelope, the {@code …Body}
 * records are what requests carry, and the {@code …Json} classes render what is answered.
 */
@NullMarked
package dev.heldcall.gateway.json;

import org.jspecify.annotations.NullMarked;
