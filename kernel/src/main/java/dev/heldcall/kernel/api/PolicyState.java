package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.Digest;

/**
 * An organization's policy in force.
 *
 * @param epoch a counter that grows with every change
 * @param policyVersion digest of the floor and the document
 * @param floor the kernel floor, from configuration
 * @param document the organization's document
 */
public record PolicyState(long epoch, Digest policyVersion, JsonNode floor, JsonNode document) {}
