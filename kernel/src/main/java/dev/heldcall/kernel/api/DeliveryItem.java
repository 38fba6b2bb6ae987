package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One delivery of a session's mailbox; the same content every time.
 *
 * @param seq its place in the session, from 1
 * @param acknowledged whether the session has acknowledged it
 * @param body everything else, ready to show: delivery_id, held_id, turn_id, call_id, kind,
 *     continuation_ref, and result or refusal
 */
public record DeliveryItem(long seq, boolean acknowledged, JsonNode body) {}
