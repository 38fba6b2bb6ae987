/** Tests of webhooks, against a receiver that checks signatures by itself. */
@NullMarked
package dev.heldcall.witness.webhook;

import org.jspecify.annotations.NullMarked;
