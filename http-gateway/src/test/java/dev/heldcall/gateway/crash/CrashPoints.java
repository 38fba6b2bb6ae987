package dev.heldcall.gateway.crash;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the woven copy of the product calls. It counts which points are reached, and ends the
 * process at the one that it is told to: on the command line as {@code -Dcrash.at=<times> <point>},
 * or by a line on standard input. It has few words, each a line:
 *
 * <pre>
 * in:  at TIMES POINT   halt when the point is reached so often from now on
 * out: crash: armed
 * in:  hits             say which points were reached since the last time, and how often
 * out: crash: hit TIMES POINT  …  crash: end
 * in:  aloud            say each point as it is reached for the first time from now on
 * out: crash: at POINT  the last word before the end
 * </pre>
 *
 * <p>A point with a detail is reached as both: {@code POINT} and {@code POINT[DETAIL]}.
 */
public final class CrashPoints {

  /** What the process ends with. */
  public static final int EXIT = 86;

  static final String WORD = "crash: ";

  private static final Map<String, AtomicInteger> HITS = new ConcurrentHashMap<>();
  private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);
  private static final ThreadLocal<String> LAST = ThreadLocal.withInitial(() -> "");
  private static volatile @Nullable Armed armed;
  private static volatile boolean aloud;

  private record Armed(String point, AtomicInteger left) {}

  static {
    String at = System.getProperty("crash.at");
    if (at != null) {
      arm(at);
    }
    Thread.ofPlatform().daemon().name("crash-points").start(CrashPoints::listen);
  }

  private CrashPoints() {}

  /** The point is reached. */
  public static void hit(String point) {
    int times = HITS.computeIfAbsent(point, key -> new AtomicInteger()).incrementAndGet();
    if (aloud && times == 1) {
      say("hit 1 " + point);
    }
    Armed now = armed;
    if (now != null && now.point().equals(point) && now.left().decrementAndGet() <= 0) {
      say("at " + point);
      Runtime.getRuntime().halt(EXIT);
    }
  }

  /** The point is reached with something that says what is about to be done. */
  public static void hit(@Nullable Object what, String point) {
    String detail = Details.of(what);
    LAST.set(detail);
    hit(point);
    if (!detail.isEmpty()) {
      hit(point + "[" + detail + "]");
    }
  }

  /** The point after the one that this thread has reached last with a detail, with the same. */
  public static void again(String point) {
    String detail = LAST.get();
    hit(point);
    if (!detail.isEmpty()) {
      hit(point + "[" + detail + "]");
    }
  }

  /** The detail of the point that this thread has reached last. */
  static String lastDetail() {
    return LAST.get();
  }

  /** Reaches a point with a detail that is known. */
  static void hitWith(String detail, String point) {
    hit(point);
    if (!detail.isEmpty()) {
      hit(point + "[" + detail + "]");
    }
  }

  private static void arm(String timesAndPoint) {
    int space = timesAndPoint.indexOf(' ');
    int times = Integer.parseInt(timesAndPoint.substring(0, space));
    armed = new Armed(timesAndPoint.substring(space + 1), new AtomicInteger(times));
  }

  private static void listen() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("at ")) {
          arm(line.substring(3));
          say("armed");
        } else if (line.equals("hits")) {
          tellHits();
        } else if (line.equals("aloud")) {
          HITS.clear();
          aloud = true;
        }
      }
    } catch (IOException e) {
      say("deaf: " + e.getMessage());
    }
    // Whoever started this process is gone.
    Runtime.getRuntime().halt(EXIT);
  }

  private static void tellHits() {
    StringBuilder all = new StringBuilder();
    for (String point : List.copyOf(HITS.keySet())) {
      AtomicInteger times = HITS.remove(point);
      if (times != null) {
        all.append("hit ").append(times).append(' ').append(point).append('\n').append(WORD);
      }
    }
    say(all + "end");
  }

  private static void say(String words) {
    try {
      OUT.write((WORD + words + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // Whoever would have read it is gone.
      Runtime.getRuntime().halt(EXIT);
    }
  }
}
