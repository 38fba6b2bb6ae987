package dev.heldcall.gateway.product;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Serves key sets by name; a name that has none is answered as a service that is down. */
final class KeySetServer implements AutoCloseable {

  private final HttpServer server;
  private final Map<String, String> sets = new ConcurrentHashMap<>();

  KeySetServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    server.createContext(
        "/",
        exchange -> {
          String set = sets.get(exchange.getRequestURI().getPath().substring(1));
          byte[] body = (set == null ? "down" : set).getBytes(UTF_8);
          exchange.sendResponseHeaders(set == null ? 503 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  String url(String name) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + name;
  }

  void serve(String name, KeyHolder... keys) {
    sets.put(
        name,
        Stream.of(keys)
            .map(each -> each.jwk().toJSONString())
            .collect(Collectors.joining(",", "{\"keys\":[", "]}")));
  }

  void fail(String name) {
    sets.remove(name);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
