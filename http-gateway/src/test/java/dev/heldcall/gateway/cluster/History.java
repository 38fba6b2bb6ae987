package dev.heldcall.gateway.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What was asked, and what was answered: the promises that the check holds the cluster to. */
public final class History {

  /**
   * One try at a node.
   *
   * @param host the node
   * @param what method and path
   * @param began nanoseconds
   * @param ended nanoseconds
   * @param status the answer's, or 0 if there was none
   * @param detail the answer's body if it was none to work with, or what broke
   */
  record Attempt(String host, String what, long began, long ended, int status, String detail) {

    boolean inFlightAt(long when) {
      return began <= when && ended >= when;
    }

    boolean overlaps(long from, long to) {
      return ended >= from && began <= to;
    }
  }

  /** A call, and what its client was told about it. */
  public static final class Call {
    final String sessionId;
    final String callId;
    final String tool;
    final Set<String> attested = ConcurrentHashMap.newKeySet();
    final Set<String> delivered = ConcurrentHashMap.newKeySet();
    volatile String heldId = "";
    volatile String digest = "";
    volatile @Nullable JsonNode edited;
    volatile boolean cancelled;
    volatile boolean reported;
    volatile boolean acknowledged;

    Call(String sessionId, String callId, String tool) {
      this.sessionId = sessionId;
      this.callId = callId;
      this.tool = tool;
    }

    /** Its id, or empty while none is known. */
    public String heldId() {
      return heldId;
    }
  }

  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final ConcurrentLinkedQueue<Attempt> odd = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> broken = new ConcurrentLinkedQueue<>();
  private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

  Call call(String sessionId, String callId, String tool) {
    Call call = new Call(sessionId, callId, tool);
    calls.add(call);
    return call;
  }

  public List<Call> calls() {
    return calls;
  }

  /** Keeps a try: those that came to nothing whole, of the others how many there were. */
  void attempt(Attempt attempt) {
    counts
        .computeIfAbsent(attempt.host() + " " + attempt.status(), key -> new AtomicInteger())
        .incrementAndGet();
    if (attempt.status() == 0 || attempt.status() >= 500) {
      odd.add(attempt);
    }
  }

  /** Something that may never happen. */
  void broken(String what) {
    broken.add(what);
  }

  List<String> broken() {
    return List.copyOf(broken);
  }

  /** The tries that got no answer, or one that says to try again. */
  List<Attempt> odd() {
    return List.copyOf(odd);
  }

  /** How often each node gave each answer. */
  public Map<String, AtomicInteger> counts() {
    return new TreeMap<>(counts);
  }
}
