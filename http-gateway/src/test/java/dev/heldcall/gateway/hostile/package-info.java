/**
 * A storm of requests that no client should send, against a node in a process of its own with
 * little memory, while honest clients go about their business. Read {@link
 * dev.heldcall.gateway.hostile.HostileTest} first.
 */
@NullMarked
package dev.heldcall.gateway.hostile;

import org.jspecify.annotations.NullMarked;
