package dev.heldcall.gateway.cli.bank;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/**
 * Something the bank did. Every accepted request makes one, so that a request sent twice is seen as
 * two.
 *
 * @param id the bank's own number for it
 * @param kind {@code transfer} or {@code note}
 * @param permit what released it
 * @param body the request's body
 * @param at when it was made
 */
public record Effect(String id, String kind, Permit permit, JsonNode body, Instant at) {}
