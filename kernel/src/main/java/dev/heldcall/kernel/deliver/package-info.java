/**
 * Handing a conclusion over: the mailbox of the session. No delivery ever runs a tool. Read {@link
 * dev.heldcall.kernel.deliver.DeliveryActor} first.
 */
@NullMarked
package dev.heldcall.kernel.deliver;

import org.jspecify.annotations.NullMarked;
