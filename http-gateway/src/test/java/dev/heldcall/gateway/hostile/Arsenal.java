package dev.heldcall.gateway.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Makes the requests of one hostile client, each from the seed. */
final class Arsenal {

  private static final String[] TOKENS = {
    "other-agent", "other-alice", "other-operator", "other-owner", "acme-agent-2", "other-bob"
  };
  private static final String[] TYPES = {
    "text/plain", "application/json; charset=utf-16", "application/json-patch+json", "nonsense",
    "application/json; charset=\"utf-8", "multipart/form-data; boundary=x", "*/*", ""
  };
  private static final String[] QUERIES = {
    "?wait_ms=-1",
    "?wait_ms=abc",
    "?limit=0",
    "?limit=99999999999999999999",
    "?cursor=%00%ff",
    "?after=-5&limit=2",
    "?state=all&class=human&limit=500",
    "?since=%E2%82%AC&wait_ms=1",
    "?x",
    "?state=waiting&state=ended",
    "?%zz",
    "?&&==&",
    "?limit=10&cursor=AAAA",
    "?after=1e3"
  };
  private static final String[] PATHS = {
    "/../../etc/passwd",
    "/held/..%2f..%2f",
    "/held/%00",
    "/held/hc_" + "a".repeat(52),
    "//",
    "/%",
    "/held/" + "b".repeat(3_000),
    "/sessions/%ff%fe",
    "/sessions/" + "%F0%9F%98%80".repeat(60),
    "/.",
    "/tool-calls/",
    "/HELD",
    "/held/hc_x/history/more",
    "*",
    "/policies/acme",
    "/sessions//deliveries"
  };

  private final SplittableRandom random;
  private final Garbler garbler;
  private final List<Route> routes;
  private final Supplier<String> heldIds;

  /**
   * Takes its targets from the routes and from calls that honest clients have.
   *
   * @param heldIds some call each time
   */
  Arsenal(SplittableRandom random, List<Route> routes, Supplier<String> heldIds) {
    this.random = random;
    this.garbler = new Garbler(random);
    this.routes = routes;
    this.heldIds = heldIds;
  }

  Shot next() {
    int kind = random.nextInt(100);
    if (kind < 55) {
      return Shot.request("body", request(route(true), token(), "", "application/json", true));
    }
    if (kind < 68) {
      return Shot.request("read", read());
    }
    if (kind < 72) {
      return Shot.request(
          "token", request(route(true), wrongToken(), "", "application/json", false));
    }
    if (kind < 76) {
      String type = TYPES[random.nextInt(TYPES.length)];
      return new Shot("type", request(route(true), token(), "", type, false), true, true, false);
    }
    if (kind < 82) {
      return Shot.noise("headers", headers());
    }
    if (kind < 87) {
      byte[] whole = request(route(true), token(), "", "application/json", false);
      return Shot.dropped("half", java.util.Arrays.copyOf(whole, random.nextInt(whole.length)));
    }
    if (kind < 91) {
      return Shot.noise("no-http", noHttp());
    }
    if (kind < 94) {
      return Shot.noise("chunks", chunks());
    }
    if (kind < 95 && random.nextInt(4) == 0) {
      return large();
    }
    return Shot.noise(
        "bytes", garbler.flip(request(route(true), token(), "", "application/json", false)));
  }

  private Route route(boolean body) {
    List<Route> such = routes.stream().filter(each -> each.takesBody() == body).toList();
    return such.get(random.nextInt(such.size()));
  }

  private String token() {
    return TOKENS[random.nextInt(TOKENS.length)];
  }

  private String wrongToken() {
    String[] wrong = {"", "x", "a".repeat(4_000), "other-agent x", "\u00e9\u00e8", "Bearer", "."};
    return wrong[random.nextInt(wrong.length)];
  }

  private byte[] request(Route route, String token, String more, String type, boolean spoilt) {
    byte[] body =
        spoilt ? garbler.spoil(route.body(random)) : route.body(random).toString().getBytes(UTF_8);
    return request(route.method(), route.path(heldIds.get()), token, more, type, body);
  }

  private static byte[] request(
      String method, String path, String token, String more, String type, byte[] body) {
    String head =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
            + token
            + "\r\n"
            + more
            + (type.isEmpty() ? "" : "Content-Type: " + type + "\r\n")
            + "Content-Length: "
            + body.length
            + "\r\n\r\n";
    return concat(head.getBytes(ISO_8859_1), body);
  }

  private byte[] read() {
    boolean oddPath = random.nextInt(3) == 0;
    String path = oddPath ? PATHS[random.nextInt(PATHS.length)] : route(false).path(heldIds.get());
    String query = random.nextBoolean() ? QUERIES[random.nextInt(QUERIES.length)] : "";
    String method = random.nextInt(10) == 0 ? "DELETE" : "GET";
    return (method
            + " "
            + path
            + query
            + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
            + token()
            + "\r\n\r\n")
        .getBytes(ISO_8859_1);
  }

  private byte[] headers() {
    String[] more = {
      "Authorization: Bearer acme-agent\r\n",
      "Content-Length: 3\r\n",
      "Transfer-Encoding: chunked\r\n",
      "Host: y\r\n",
      "Idempotency-Key: a\r\nIdempotency-Key: b\r\n",
      "Idempotency-Key: " + "k".repeat(5_000) + "\r\n",
      "X: " + "a".repeat(70_000) + "\r\n",
      "A: 1\r\n".repeat(500),
      "Expect: 100-continue\r\n",
      "Expect: tea\r\n",
      "Content-Encoding: gzip\r\n",
      "Upgrade: websocket\r\nConnection: Upgrade\r\n",
      " folded: x\r\n",
      "No colon\r\n",
      "\u0000: \u0001\r\n",
      "Connection: close, keep-alive\r\n",
      "Last-Event-ID: \u00ff\r\n"
    };
    String one = more[random.nextInt(more.length)];
    return request(route(true), token(), one, "application/json", false);
  }

  private byte[] noHttp() {
    return switch (random.nextInt(6)) {
      case 0 -> "GARBAGE\r\n\r\n".getBytes(ISO_8859_1);
      case 1 -> "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1);
      case 2 -> new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3, 0, 0, 0, 0, 0, 0};
      case 3 -> "GET / HTTP/9.9\r\nHost: x\r\n\r\n".getBytes(ISO_8859_1);
      case 4 ->
          ("GET /" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(ISO_8859_1);
      default -> {
        byte[] noise = new byte[1 + random.nextInt(3_000)];
        random.nextBytes(noise);
        yield noise;
      }
    };
  }

  private byte[] chunks() {
    String[] bodies = {
      "zz\r\nx\r\n0\r\n\r\n",
      "5\r\nab",
      "ffffffffffffffff\r\n{}\r\n",
      "2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n",
      "-1\r\n",
      "2;ext=" + "e".repeat(3_000) + "\r\n{}\r\n0\r\n\r\n",
      "0\r\n\r\n"
    };
    Route route = route(true);
    return (route.method()
            + " "
            + route.path(heldIds.get())
            + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
            + token()
            + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            + bodies[random.nextInt(bodies.length)])
        .getBytes(ISO_8859_1);
  }

  /** Bodies near the bound of 1 MiB, under it and over it, and deep ones. */
  private Shot large() {
    byte[] body =
        switch (random.nextInt(5)) {
          case 0 -> Garbler.deep(50 + random.nextInt(100));
          case 1 -> Garbler.deep(100_000);
          case 2 -> Garbler.dense((1 << 20) + 1 + random.nextInt(1 << 21), random.nextInt(5));
          default -> Garbler.dense((1 << 20) - random.nextInt(1 << 19), random.nextInt(5));
        };
    return Shot.request(
        "large", request("POST", "/tool-calls", "other-agent", "", "application/json", body));
  }

  private static byte[] concat(byte[] head, byte[] body) {
    ByteArrayOutputStream all = new ByteArrayOutputStream(head.length + body.length);
    all.writeBytes(head);
    all.writeBytes(body);
    return all.toByteArray();
  }
}
