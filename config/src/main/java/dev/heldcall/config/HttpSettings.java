package dev.heldcall.config;

/**
 * Where the gateway listens ({@code heldcall.http}).
 *
 * @param host the interface's address or name ({@code http.interface})
 * @param port 1 to 65535, or 0 for any free port
 */
public record HttpSettings(String host, int port) {}
