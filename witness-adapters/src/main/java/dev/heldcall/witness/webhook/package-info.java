/**
 * A service outside that is told of requests by signed webhooks, and posts people's words back in
 * the same way. Read {@link dev.heldcall.witness.webhook.WebhookSender} (out) and {@link
 * dev.heldcall.witness.webhook.WebhookKeys} (the signature, both ways) first.
 */
@NullMarked
package dev.heldcall.witness.webhook;

import org.jspecify.annotations.NullMarked;
