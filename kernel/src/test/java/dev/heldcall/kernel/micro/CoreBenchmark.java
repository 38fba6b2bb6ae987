package dev.heldcall.kernel.micro;

import dev.heldcall.kernel.call.CoreFixtures;
import dev.heldcall.kernel.call.HeldCallEvent;
import dev.heldcall.kernel.call.HeldCallFacts;
import dev.heldcall.kernel.call.HeldCallReducer;
import dev.heldcall.kernel.call.LiveCall;
import dev.heldcall.kernel.codec.JournalCodec;
import dev.heldcall.kernel.digest.Digests;
import dev.heldcall.kernel.readside.CallRow;
import dev.heldcall.kernel.readside.CallRows;
import dev.heldcall.plugin.api.Digest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the core's hot functions take, in microseconds. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CoreBenchmark {

  private final JournalCodec codec = new JournalCodec();
  private final LiveCall finished = finished();
  private final List<HeldCallEvent> journal = List.copyOf(finished.journal());
  private final List<String> manifests = journal.stream().map(codec::manifest).toList();
  private final List<byte[]> written = journal.stream().map(codec::write).toList();

  private static LiveCall finished() {
    LiveCall call = LiveCall.under(CoreFixtures.HUMAN);
    call.run(LiveCall.propose(LiveCall.proposal("transfer")));
    call.approve(CoreFixtures.ALICE);
    call.answered("{'id': 1}");
    call.acknowledge();
    return call;
  }

  /** A whole call's decisions: proposed, approved, answered, acknowledged; invariants included. */
  @Benchmark
  public LiveCall decideWholeCall() {
    return finished();
  }

  /** The canonical form of arguments and its digest. */
  @Benchmark
  public Digest digestArguments() {
    return Digests.ofCanonical(finished.facts().requireGeneration().args());
  }

  /** A whole call's events reduced to facts, as on recovery. */
  @Benchmark
  public HeldCallFacts reduceWholeCall() {
    HeldCallFacts facts = HeldCallFacts.NONE;
    for (HeldCallEvent event : journal) {
      facts = HeldCallReducer.reduce(facts, event);
    }
    return facts;
  }

  /** A whole call's events written as JSON. */
  @Benchmark
  public List<byte[]> writeWholeCall() {
    List<byte[]> bytes = new ArrayList<>(journal.size());
    for (HeldCallEvent event : journal) {
      bytes.add(codec.write(event));
    }
    return bytes;
  }

  /** A whole call's events read from JSON. */
  @Benchmark
  public List<Object> readWholeCall() {
    List<Object> events = new ArrayList<>(written.size());
    for (int i = 0; i < written.size(); i++) {
      events.add(codec.read(manifests.get(i), written.get(i)));
    }
    return events;
  }

  /** The row that lists show. */
  @Benchmark
  public CallRow row() {
    return CallRows.of(finished.facts(), journal.size());
  }
}
