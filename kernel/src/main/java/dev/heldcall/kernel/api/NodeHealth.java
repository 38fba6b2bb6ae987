package dev.heldcall.kernel.api;

import java.util.Map;

/**
 * Whether this node takes work, and why not.
 *
 * @param ready whether all checks pass
 * @param checks each check by name with {@code ok} or what is wrong
 */
public record NodeHealth(boolean ready, Map<String, String> checks) {}
