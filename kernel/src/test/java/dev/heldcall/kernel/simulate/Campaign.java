package dev.heldcall.kernel.simulate;

import dev.heldcall.kernel.codec.JournalCodec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Plays many seeds, several at a time; each of them has one thread and knows of no other. */
final class Campaign {

  private static final int BATCH = 10;

  private final long from;
  private final long seeds;
  private final Set<Plant> plants;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong done = new AtomicLong();

  private Campaign(long from, long seeds, Set<Plant> plants) {
    this.from = from;
    this.seeds = seeds;
    this.plants = plants.isEmpty() ? EnumSet.noneOf(Plant.class) : EnumSet.copyOf(plants);
  }

  /**
   * Plays the seeds {@code from} to {@code from + seeds - 1}, all of them whatever they find.
   *
   * @param threads how many at a time
   */
  static CampaignResult run(long from, long seeds, int threads, Set<Plant> plants) {
    Campaign campaign = new Campaign(from, seeds, plants);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<CampaignResult>> parts = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        parts.add(pool.submit(campaign::part));
      }
      CampaignResult whole = CampaignResult.of(from, seeds);
      for (Future<CampaignResult> part : parts) {
        whole.add(part.get());
      }
      return whole;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private CampaignResult part() {
    JournalCodec codec = new JournalCodec();
    CampaignResult result = CampaignResult.of(from, seeds);
    for (long begin = next.getAndAdd(BATCH); begin < seeds; begin = next.getAndAdd(BATCH)) {
      for (long i = begin; i < Math.min(seeds, begin + BATCH); i++) {
        result.add(Simulation.run(from + i, codec, plants));
      }
      report(done.addAndGet(BATCH));
    }
    return result;
  }

  /** A long run says how far it is. */
  private void report(long soFar) {
    if (soFar % 50_000 == 0 && soFar < seeds) {
      System.err.println(soFar + " seeds played");
    }
  }
}
