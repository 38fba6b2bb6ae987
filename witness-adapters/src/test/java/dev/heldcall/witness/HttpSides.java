package dev.heldcall.witness;

import dev.heldcall.plugin.api.tck.OtherSide;
import dev.heldcall.plugin.api.tck.SampleRequests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Makes a service on a port of this host behave as the compatibility kit wants it to. */
public final class HttpSides {

  private HttpSides() {}

  /**
   * Makes it behave so, unless it is to behave well, which the test itself must tell it how to do.
   *
   * @return where the provider is to ask
   */
  public static String url(Counterpart service, OtherSide side) {
    switch (side) {
      case WELL -> {}
      case REFUSES ->
          service.answers(_ -> Counterpart.Said.status(403, "{\"error\":\"forbidden\"}"));
      case HANGS -> service.saysNothing();
      case GARBLES -> service.answers("\u0000<html>{\"result\":true");
      case FLOODS ->
          service.answers("{\"x\":\"" + "y".repeat(2 * SampleRequests.MAX_ANSWER_BYTES) + "\"}");
      case ABSENT -> {
        return "http://127.0.0.1:" + closedPort();
      }
    }
    return service.url();
  }

  /** A port on which nobody listens. */
  public static int closedPort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
