package dev.heldcall.plugin.api;

/**
 * The identity of a principal: the part that digests and ownership are made of.
 *
 * @param org the organization
 * @param project the project within it
 * @param id the principal within that
 */
public record PrincipalRef(String org, String project, String id) {}
