package dev.heldcall.kernel.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.heldcall.plugin.api.InvalidProviderSettings;
import dev.heldcall.plugin.api.ProviderContract;
import dev.heldcall.plugin.api.ProviderServices;
import dev.heldcall.plugin.api.WitnessAnswer;
import dev.heldcall.plugin.api.WitnessProvider;
import dev.heldcall.plugin.api.WitnessProviderType;
import dev.heldcall.plugin.api.WitnessRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A provider that is only made and closed, of the kind {@code kernel-test}. */
final class TestWitness implements WitnessProvider {

  /** How many are open. */
  static final AtomicInteger OPEN = new AtomicInteger();

  /** Its kind. */
  public static final class Type implements WitnessProviderType {

    /** For the service loader. */
    public Type() {}

    @Override
    public String kind() {
      return "kernel-test";
    }

    @Override
    public boolean repeatable() {
      return true;
    }

    @Override
    public WitnessProvider create(
        ProviderContract contract, JsonNode settings, ProviderServices services)
        throws InvalidProviderSettings {
      if (settings.has("wrong")) {
        throw new InvalidProviderSettings("wrong", "nothing");
      }
      if (settings.has("broken")) {
        throw new IllegalStateException("a defect of the provider");
      }
      OPEN.incrementAndGet();
      return new TestWitness();
    }
  }

  private TestWitness() {}

  @Override
  public CompletionStage<WitnessAnswer> ask(WitnessRequest request) {
    return CompletableFuture.completedFuture(new WitnessAnswer.Deferred("only a test"));
  }

  @Override
  public void close() {
    OPEN.decrementAndGet();
  }
}
