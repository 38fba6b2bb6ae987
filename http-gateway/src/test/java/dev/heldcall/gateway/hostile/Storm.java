package dev.heldcall.gateway.hostile;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Many hostile clients at once, among them such as say nothing and such as write slowly. */
final class Storm {

  private static final int DUE_MILLIS = 60_000;
  private static final int NOT_DUE_MILLIS = 150;
  private static final int CLIENTS = 64;
  private static final int SILENT = 300;
  private static final int SLOW = 100;
  private static final long SLOW_PAUSE_MILLIS = 200;

  private final int port;
  private final Findings findings;
  private final List<Route> routes;
  private final Supplier<String> heldIds;
  private final List<Thread> threads = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);

  Storm(int port, Findings findings, List<Route> routes, Supplier<String> heldIds) {
    this.port = port;
    this.findings = findings;
    this.routes = routes;
    this.heldIds = heldIds;
  }

  /** Sends so many, and returns when all are answered or given up. */
  void rage(int shots, long seed) throws InterruptedException {
    SplittableRandom random = new SplittableRandom(seed);
    AtomicInteger left = new AtomicInteger(shots);
    List<Thread> shooters = new ArrayList<>();
    for (int i = 0; i < SILENT; i++) {
      threads.add(Thread.ofVirtual().start(this::saysNothing));
    }
    for (int i = 0; i < SLOW; i++) {
      threads.add(Thread.ofVirtual().start(this::writesSlowly));
    }
    for (int i = 0; i < CLIENTS; i++) {
      Arsenal arsenal = new Arsenal(random.split(), routes, heldIds);
      shooters.add(Thread.ofVirtual().start(() -> shoot(arsenal, left)));
    }
    threads.add(Thread.ofVirtual().start(this::writesTooMuch));
    for (Thread each : shooters) {
      each.join();
    }
    over.countDown();
    for (Thread each : threads) {
      each.join();
    }
  }

  private void shoot(Arsenal arsenal, AtomicInteger left) {
    Line line = null;
    while (left.getAndDecrement() > 0) {
      Shot shot = arsenal.next();
      try {
        line = shoot(shot, line);
      } catch (IOException e) {
        findings.wrong("no connection for " + shot.kind() + ": " + e);
      }
    }
    if (line != null) {
      line.close();
    }
  }

  /** Sends one; returns the line if it can be used again. */
  private @Nullable Line shoot(Shot shot, @Nullable Line open) throws IOException {
    Line line = open == null ? new Line(port) : open;
    Line.Reply reply = null;
    try {
      line.send(shot.bytes());
      if (shot.abandon()) {
        line.drop();
        findings.count(shot.kind(), "dropped");
        return null;
      }
      reply = line.reply(shot.answerDue() ? DUE_MILLIS : NOT_DUE_MILLIS);
    } catch (SocketTimeoutException e) {
      findings.judge(shot, null);
      line.close();
      return null;
    } catch (IOException broken) {
      line.close();
      if (open != null) {
        // It was closed after the answer before; on a fresh one there is no excuse.
        return shoot(shot, null);
      }
      findings.judge(shot, afterAll(line));
      return null;
    }
    if (reply == null && open != null) {
      line.close();
      return shoot(shot, null);
    }
    findings.judge(shot, reply);
    if (reply == null || !shot.answerDue() || reply.head().contains("Connection: close")) {
      line.close();
      return null;
    }
    return line;
  }

  private static Line.@Nullable Reply afterAll(Line line) {
    try {
      return line.reply(NOT_DUE_MILLIS);
    } catch (IOException e) {
      return null;
    }
  }

  private void saysNothing() {
    try (Line _ = new Line(port)) {
      var _ = over.await(DUE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (IOException e) {
      findings.wrong("no connection to say nothing on: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void writesSlowly() {
    Shot shot =
        Shot.noise(
            "slow",
            ("POST /tool-calls HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer other-agent\r\n"
                    + "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n{")
                .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    try (Line line = new Line(port)) {
      line.send(shot.bytes());
      while (!over.await(SLOW_PAUSE_MILLIS, TimeUnit.MILLISECONDS)) {
        line.send(new byte[] {' '});
      }
    } catch (IOException e) {
      // the node has given it up, as it should
      findings.count("slow", "closed");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Eighty times the bound, written to the end before anything is read. */
  private void writesTooMuch() {
    byte[] part = new byte[1 << 20];
    String head =
        "POST /tool-calls HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer other-agent\r\n"
            + "Content-Type: application/json\r\nContent-Length: "
            + 80L * part.length
            + "\r\n\r\n";
    Shot shot =
        Shot.request("too-much", head.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    try (Line line = new Line(port)) {
      line.send(shot.bytes());
      for (int i = 0; i < 80; i++) {
        line.send(part);
      }
      Line.Reply reply = line.reply(DUE_MILLIS);
      findings.judge(shot, reply);
      if (reply == null || reply.status() != 413) {
        findings.wrong("too much was answered " + reply);
      }
    } catch (IOException e) {
      findings.wrong("too much was cut off: " + e);
    }
  }
}
