/** Reading and rendering JSON. */
@NullMarked
package dev.heldcall.gateway.json;

import org.jspecify.annotations.NullMarked;
