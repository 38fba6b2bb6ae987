package dev.heldcall.gateway.hostile;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What the node answered, and what of it no node may answer. */
final class Findings {

  private static final int SHOWN = 300;

  private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

  void count(String kind, String outcome) {
    counts.computeIfAbsent(kind + " " + outcome, key -> new AtomicInteger()).incrementAndGet();
  }

  /** Holds an answer, or that there is none, to the rules. */
  void judge(Shot shot, Line.@Nullable Reply reply) {
    if (reply == null) {
      count(shot.kind(), "none");
      if (shot.answerDue()) {
        wrong.add(shot.kind() + " got no answer: " + shown(shot));
      }
      return;
    }
    count(shot.kind(), Integer.toString(reply.status()));
    String body = reply.body();
    if (body.contains("\tat ") || body.contains("Exception") || body.contains("org.apache")) {
      wrong.add(shot.kind() + " was answered with what is inside: " + reply);
    }
    if (reply.status() >= 500 && !deliberate(shot, reply)) {
      wrong.add(shot.kind() + " was answered " + reply + " to " + shown(shot));
    }
    String head = reply.head().toLowerCase(Locale.ROOT);
    if (reply.status() >= 400
        && reply.status() != 503
        && !head.contains("application/problem+json")) {
      wrong.add(shot.kind() + " was refused without a problem document: " + reply);
    }
  }

  /** 503 with a problem and when to come again; 501 and 505 only where that is what is wrong. */
  private static boolean deliberate(Shot shot, Line.Reply reply) {
    String head = reply.head().toLowerCase(Locale.ROOT);
    return switch (reply.status()) {
      case 503 ->
          head.contains("retry-after:")
              && (head.contains("application/problem+json") || reply.body().contains("not-ready"));
      case 501, 505 -> shot.odd();
      default -> false;
    };
  }

  void wrong(String what) {
    wrong.add(what);
  }

  List<String> wrong() {
    return List.copyOf(wrong);
  }

  Map<String, AtomicInteger> counts() {
    return new TreeMap<>(counts);
  }

  /** How many things were sent. */
  int sent() {
    return counts.values().stream().mapToInt(AtomicInteger::get).sum();
  }

  private static String shown(Shot shot) {
    String text = new String(shot.bytes(), java.nio.charset.StandardCharsets.ISO_8859_1);
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
  }
}
