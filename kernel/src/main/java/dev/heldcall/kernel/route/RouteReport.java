package dev.heldcall.kernel.route;

/**
 * How a route stands, said to its call.
 *
 * @param key the route
 * @param state how it stands
 * @param underWay whether the provider is being talked to: the call stays in memory so long
 */
public record RouteReport(RouteKey key, RouteState state, boolean underWay) {}
