package dev.heldcall.config;

import java.net.URI;
import java.time.Duration;

/**
 * A JSON Web Key Set (RFC 7517) at an address.
 *
 * @param url where it is: https, or http on a loopback address
 * @param refresh how old a set may be before it is fetched again
 * @param maxAge how old it may be and still be relied on while it cannot be fetched; not less than
 *     {@code refresh}
 * @param timeout how long one fetch may take
 * @param pause the least time between two fetches, also when a key id is not known
 * @param maxBytes the most that is read of it
 */
public record RemoteKeysSettings(
    URI url, Duration refresh, Duration maxAge, Duration timeout, Duration pause, int maxBytes) {}
