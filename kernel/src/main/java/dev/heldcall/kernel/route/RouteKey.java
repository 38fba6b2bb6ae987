package dev.heldcall.kernel.route;

/**
 * A route: one provider that is asked about one generation of one call.
 *
 * @param heldId the call
 * @param generation its generation, from 1
 * @param provider the provider's name
 */
public record RouteKey(String heldId, int generation, String provider) {}
